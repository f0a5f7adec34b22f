/** Accounts of Loans over a range of days: opening debt, every movement, closing debt. */

import { addDays, type CivilDay } from '#libs/calendar/civil-day.ts';
import type { FactName } from '#libs/ledger/anomaly-causes.ts';
import { hasStarted, isClaimable, loanBeforeStart } from '#libs/ledger/answers/book-on-day.ts';
import {
  actMovements,
  cessionMovements,
  chargesOverTime,
  type Movement,
  receiptMovements,
  startMovements,
} from '#libs/ledger/answers/movements.ts';
import { itemAt } from '#libs/ledger/append-list.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import { accrueTo } from '#libs/ledger/charges/accrue-to.ts';
import { debtTotal, payoff } from '#libs/ledger/charges/debt.ts';
import { countStepsUntil, findStateAfter } from '#libs/ledger/checkpoints.ts';
import { type CooperativeTask, mapInTask } from '#libs/ledger/cooperative-loop.ts';
import { type BookState, foldStep, type StepOutcome } from '#libs/ledger/fold.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { FoldStep } from '#libs/ledger/steps.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';

/** Both days are included. */
export type DayRange = { readonly from: CivilDay; readonly to: CivilDay };

/** A movement and the fact that caused it. Movements caused by time name no fact. */
export type AccountMovement = { readonly movement: Movement; readonly fact?: FactName };

export type LoanAccount = {
  readonly loan: Loan;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly movements: readonly AccountMovement[];
};

/** The accounts of all Loans of the book, or of the one at `onlyOrder`. */
export function* loanAccounts(
  book: FoldedFacts,
  { from, to }: DayRange,
  calendars: Calendars,
  onlyOrder?: number,
): CooperativeTask<readonly LoanAccount[]> {
  const dayBefore = addDays(from, -1);
  const firstStep = countStepsUntil(book, dayBefore);
  const endStep = countStepsUntil(book, to);
  let state = yield* findStateAfter(book, firstStep, calendars);
  const accounts: OpenAccount[] = [];
  for (const [order, record] of book.loans.entries()) {
    if (onlyOrder !== undefined && onlyOrder !== order) continue;
    const started = state.loans[order];
    const loan = started === undefined ? loanBeforeStart(record, order) : accrueTo(started, dayBefore);
    accounts.push(new OpenAccount(order, loan, dayBefore));
    yield;
  }
  for (let at = firstStep; at < endStep; at += 1) {
    const step = itemAt(book.steps, at);
    const folded = foldStep(state, step, calendars);
    for (const account of accounts) account.applyStep(step, state, folded.state, folded.outcome);
    state = folded.state;
    yield;
  }
  return yield* mapInTask(accounts, (account) => account.close(to), 1);
}

/** The account of one Loan while the steps of the range are folded. */
class OpenAccount {
  readonly #order: number;
  readonly #opening: bigint;
  readonly #movements: AccountMovement[] = [];
  #loan: Loan;
  /** The day up to which the charges of time are in the movements. */
  #day: CivilDay;

  constructor(order: number, loan: Loan, day: CivilDay) {
    this.#order = order;
    this.#loan = loan;
    this.#day = day;
    this.#opening = claimableDebt(loan, day);
  }

  applyStep(step: FoldStep, before: BookState, after: BookState, outcome: StepOutcome): void {
    const loanAfter = after.loans[this.#order];
    if (loanAfter === undefined || loanAfter === before.loans[this.#order]) return;
    if (step.type === 'issuance') {
      this.#day = step.on;
      for (const movement of startMovements(loanAfter, step.on)) this.#movements.push({ movement });
    } else {
      // A suspension takes effect before its day is accrued.
      const isSuspension = step.type === 'act' && step.act.kind === 'suspended';
      this.#accrueTo(isSuspension ? addDays(step.on, -1) : step.on);
      const fact = factName(step);
      for (const movement of stepMovements(step, this.#loan, loanAfter, outcome)) {
        // Charged interest and penalty are lines of their period and name no fact.
        this.#movements.push(movement.period === undefined ? { movement, fact } : { movement });
      }
    }
    this.#loan = loanAfter;
  }

  close(on: CivilDay): LoanAccount {
    this.#accrueTo(on);
    return {
      loan: this.#loan,
      opening: this.#opening,
      closing: claimableDebt(this.#loan, on),
      movements: this.#movements,
    };
  }

  #accrueTo(to: CivilDay): void {
    const loan = this.#loan;
    // After a cession the debt belongs to the assignee.
    if (to <= this.#day || !hasStarted(loan, this.#day) || loan.cession !== undefined) return;
    const accrued = accrueTo(loan, to);
    for (const movement of chargesOverTime(loan, accrued, this.#day, to)) this.#movements.push({ movement });
    this.#loan = accrued;
    this.#day = to;
  }
}

function claimableDebt(loan: Loan, on: CivilDay): bigint {
  const isCeded = loan.cession !== undefined && loan.cession.on <= on;
  return hasStarted(loan, on) && isClaimable(loan, on) && !isCeded ? debtTotal(payoff(loan, on)) : 0n;
}

type LaterStep = Exclude<FoldStep, { type: 'issuance' }>;

function factName(step: LaterStep): FactName {
  return step.type === 'act' ? { type: 'event', id: step.act.event } : { type: 'receipt', id: step.receipt.reference };
}

function stepMovements(step: LaterStep, before: Loan, after: Loan, outcome: StepOutcome): Movement[] {
  if (step.type === 'receipt') {
    const shares = outcome.type === 'receipt' ? outcome.allocation.shares : [];
    const share = shares.find(({ order }) => order === after.order);
    return share === undefined ? [] : receiptMovements(before, after, step.on, share);
  }
  switch (step.act.kind) {
    case 'suspended':
      return [];
    case 'confirmed':
      return before.held && !after.held ? startMovements(after, step.on) : [];
    case 'ceded':
      return after.cession === undefined ? [] : cessionMovements(before, step.on);
    default:
      return actMovements(before, after, step.on, step.act.kind === 'restructured');
  }
}
