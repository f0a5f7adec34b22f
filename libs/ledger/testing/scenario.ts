/**
 * given(facts).when(fact): what was recorded, what is recorded next, and the book after it. Whether the last fact was
 * admitted is checked with `expect(scenario).toBeAdmitted()` and `expect(scenario).toBeRefused(code, details)`.
 */

import { expect } from '@jest/globals';
import type {} from 'expect';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { admitFact, loanInBook } from '#libs/ledger/admit.ts';
import { bookOnDay, isClaimable } from '#libs/ledger/answers/book-on-day.ts';
import { overdueParts } from '#libs/ledger/answers/figure-parts.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import { statement } from '#libs/ledger/answers/statement.ts';
import { EMPTY_BOOK, type FoldedFacts } from '#libs/ledger/book.ts';
import { debtTotal, NO_DEBT, payoff, quotedPayoff, sumDebts } from '#libs/ledger/charges/debt.ts';
import { receiptOutcome } from '#libs/ledger/checkpoints.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { Debt, Loan } from '#libs/ledger/loan.ts';
import { type LoanState, stateOf } from '#libs/ledger/loan-state.ts';
import type { AllocationResult } from '#libs/ledger/receipts/allocate-receipt.ts';
import { calendars, type FactBuilder, orderOf } from '#libs/ledger/testing/facts.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';
import { isRefusal, type Refusal, type RefusalCode } from '#libs/schema/refusals.ts';

/** The book of these facts. All of them must be admitted: a refusal here is a mistake of the test. */
export function given(...facts: readonly FactBuilder[]): Scenario {
  return facts.reduce((scenario, fact) => {
    const next = scenario.when(fact);
    if (next.refusal !== undefined) throw new Error(`a given fact is refused: ${JSON.stringify(next.refusal)}`);
    return next;
  }, new Scenario(EMPTY_BOOK));
}

/** A charge's amount before tax, and the tax of all of them. What is zero is left out. */
export type OwedParts = Partial<{ readonly [part in Charge | 'tax']: bigint }>;

/** A book, and the refusal of the fact recorded last, if it was refused. */
export class Scenario {
  readonly book: FoldedFacts;
  readonly refusal: Refusal | undefined;

  constructor(book: FoldedFacts, refusal?: Refusal) {
    this.book = book;
    this.refusal = refusal;
  }

  when(fact: FactBuilder): Scenario {
    const built = fact(this.book);
    const entry = { seq: this.book.length + 1, at: '', statement: {} };
    const added = isRefusal(built) ? built : admitFact(this.book, { ...entry, fact: built }, calendars);
    return isRefusal(added) ? new Scenario(this.book, added) : new Scenario(added.book);
  }

  /** The Loan by all facts. */
  loan(id = 'L'): Loan {
    return loanInBook(this.book, orderOf(this.book, id));
  }

  state(id = 'L'): LoanState {
    return stateOf(this.loan(id));
  }

  /** What discharging the Loan on the day takes. */
  owes(on: string, id = 'L'): OwedParts {
    return this.#debtParts(on, id, payoff);
  }

  overdue(on: string, id = 'L'): OwedParts {
    return this.#debtParts(on, id, (loan, day) => sumDebts(overdueParts(loan, day)));
  }

  /** What a payoff quote states: as `owes`, or what is left of a running settlement. */
  quotedPayoff(on: string, id = 'L'): OwedParts {
    return this.#debtParts(on, id, quotedPayoff);
  }

  /** `owes` in one sum, tax included. */
  debt(on: string, id = 'L'): bigint {
    return Object.values(this.owes(on, id)).reduce((sum, each) => sum + each, 0n);
  }

  schedule(on: string, id = 'L') {
    const day = bookOnDay(this.book, dayOf(on), calendars);
    return scheduleAnswer(day, day.loans[orderOf(this.book, id)] as Loan);
  }

  statement(from: string, to: string) {
    return runToEnd(statement(this.book, 'c', { from: dayOf(from), to: dayOf(to) }, calendars));
  }

  /** How the Receipt was allocated. */
  allocation(reference: string): AllocationResult {
    const recorded = this.book.log.receipt(this.book.length, reference);
    if (recorded === undefined) throw new Error(`the book holds no Receipt ${reference}`);
    const outcome = receiptOutcome(this.book, recorded.fact, recorded.seq, calendars);
    if (outcome?.type !== 'receipt') throw new Error(`the Receipt ${reference} is reversed`);
    return outcome.allocation;
  }

  /** What goes back to the Client. */
  get owedBack(): bigint {
    return BigInt(obligations(this.book, 'c', 'MXN').amount.minor_units);
  }

  /** The acts in force whose rule fails, each with the code that admission would refuse it with now. */
  anomalies(id = 'L'): readonly (readonly [string, string])[] {
    return this.loan(id).bounded.map(({ event, kind }) => [event, kind] as const);
  }

  #debtParts(on: string, id: string, debtOf: (loan: Loan, on: ReturnType<typeof dayOf>) => Debt): OwedParts {
    const day = bookOnDay(this.book, dayOf(on), calendars);
    const loan = day.loans[orderOf(this.book, id)] as Loan;
    const debt = isClaimable(loan, day.on) ? debtOf(loan, day.on) : NO_DEBT;
    const tax = debtTotal(debt) - CHARGES.reduce((sum, charge) => sum + debt[charge].amount, 0n);
    const parts = [...CHARGES.map((charge) => [charge, debt[charge].amount] as const), ['tax', tax] as const];
    return Object.fromEntries(parts.filter(([, amount]) => amount > 0n));
  }
}

declare module 'expect' {
  interface Matchers<R> {
    /** The fact recorded last was refused with the code, and with these details where they are given. */
    toBeRefused(code: RefusalCode, details?: Refusal['details']): R;
    toBeAdmitted(): R;
  }
}

expect.extend({
  toBeRefused(scenario: Scenario, code: RefusalCode, details: Refusal['details'] = {}) {
    const { refusal } = scenario;
    const hasDetails = Object.entries(details).every(([name, value]) =>
      this.equals(refusal?.details?.[name as keyof typeof refusal.details], value),
    );
    return {
      pass: refusal?.code === code && hasDetails,
      message: () =>
        `expected a refusal ${this.utils.printExpected({ code, details })}, found ${this.utils.printReceived(refusal)}`,
    };
  },
  toBeAdmitted({ refusal }: Scenario) {
    return {
      pass: refusal === undefined,
      message: () => `expected the fact to be admitted, found the refusal ${this.utils.printReceived(refusal)}`,
    };
  },
});
