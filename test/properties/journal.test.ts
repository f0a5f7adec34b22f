/** The law of the journal: after every fact, the sum of all movements is what the book owes and what its statement shows. */

import { addDays, type CivilDay } from '#libs/calendar/civil-day.ts';
import { bookOnDay, hasStarted, isClaimable } from '#libs/ledger/answers/book-on-day.ts';
import { loanAccounts } from '#libs/ledger/answers/loan-accounts.ts';
import type { MovementKind } from '#libs/ledger/answers/movements.ts';
import { addFact, EMPTY_BOOK, type FoldedFacts } from '#libs/ledger/book.ts';
import { NO_DEBT, payoff, periodDebt, sumDebts } from '#libs/ledger/charges/debt.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { bookMovement, type LoanMovement } from '#libs/ledger/journal/book-movement.ts';
import type { JournalLine } from '#libs/ledger/journal/journal-line.ts';
import { type Debt, hasFallenDue, isInForce, type Loan } from '#libs/ledger/loan.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';
import { expectEqual, propertyTest } from './property-test.ts';

/** The lines in force, as a consumer keeps them. */
class Journal {
  readonly #lines = new Map<string, { readonly line: JournalLine; count: number }>();

  addMovements(movements: readonly LoanMovement[]): void {
    for (const { added, takenBack } of movements) {
      for (const line of added) this.#add(line, 1);
      for (const line of takenBack) this.#add(line, -1);
    }
  }

  #add(line: JournalLine, count: 1 | -1): void {
    const key = [...Object.entries(line)].sort().join();
    const known = this.#lines.get(key) ?? { line, count: 0 };
    known.count += count;
    if (known.count < 0) throw new Error(`taken back and not in force: ${key}`);
    this.#lines.set(key, known);
  }

  /** Every line in force, as text. */
  get all(): string[] {
    return [...this.#lines].flatMap(([key, { count }]) => Array.from({ length: count }, () => key)).sort();
  }

  ofLoan(order: number): JournalLine[] {
    return [...this.#lines.values()].flatMap(({ line, count }) =>
      line.loan === order ? Array.from({ length: count }, () => line) : [],
    );
  }
}

function sumLines(lines: readonly JournalLine[]): Record<Charge, { amount: bigint; tax: bigint }> {
  const sums = Object.fromEntries(CHARGES.map((charge) => [charge, { amount: 0n, tax: 0n }])) as ReturnType<
    typeof sumLines
  >;
  for (const { charge, amount, tax } of lines) {
    sums[charge].amount += amount;
    sums[charge].tax += tax;
  }
  return sums;
}

/** At the end of the day, as a statement closes. */
function owedOn(loan: Loan, on: CivilDay, debtOf: (loan: Loan, on: CivilDay) => Debt): Debt {
  const isCeded = loan.cession !== undefined && loan.cession.on <= on;
  return hasStarted(loan, on) && isInForce(loan) && isClaimable(loan, on) && !isCeded ? debtOf(loan, on) : NO_DEBT;
}

/** What the periods that have fallen due still owe, also where the rest of the debt was called. */
function overdue({ periods }: Loan, on: CivilDay): Debt {
  return sumDebts(periods.filter((period) => hasFallenDue(period, on)).map(periodDebt));
}

function only(debt: Debt, charges: readonly Charge[]): unknown {
  return charges.map((charge) => [charge, debt[charge].amount, debt[charge].tax]);
}

function checkLoan(book: FoldedFacts, order: number, lines: readonly JournalLine[], calendars: Calendars): void {
  const exactDays = [...new Set(lines.flatMap(({ day, fact }) => (fact === undefined ? [] : [day])))];
  const interestDays = new Set(lines.flatMap(({ day, charge }) => (charge === 'interest' ? [day] : [])));
  const anyDays = lines.flatMap(({ day, dueOn }) => [addDays(day, -1), day, addDays(day, 1), dueOn]);
  for (const on of new Set([...exactDays, ...anyDays])) {
    const loan = bookOnDay(book, on, calendars).loans[order] as Loan;
    const isExact = exactDays.includes(on);
    const charges: Charge[] = ['principal', 'fee', 'late_fee'];
    if (isExact || interestDays.has(on)) charges.push('interest');
    if (isExact) charges.push('penalty');
    const until = lines.filter(({ day }) => day <= on);
    expectEqual({ on, owed: only(sumLines(until), charges) }, { on, owed: only(owedOn(loan, on, payoff), charges) });
    const due: Charge[] = isExact ? [...CHARGES] : ['principal', 'interest', 'fee', 'late_fee'];
    expectEqual(
      { on, overdue: only(sumLines(until.filter(({ dueOn }) => dueOn <= on)), due) },
      { on, overdue: only(owedOn(loan, on, overdue), due) },
    );
  }
  const [first, last] = [Math.min(...exactDays), Math.max(...exactDays)] as [CivilDay, CivilDay];
  checkStatement(book, order, lines, { from: first, to: last }, calendars);
  const middle = exactDays[Math.floor(exactDays.length / 2)] as CivilDay;
  if (middle < last) checkStatement(book, order, lines, { from: addDays(middle, 1), to: last }, calendars);
}

/** Every kind and charge of the statement between two days of facts, for each fact. */
function checkStatement(
  book: FoldedFacts,
  order: number,
  lines: readonly JournalLine[],
  range: { readonly from: CivilDay; readonly to: CivilDay },
  calendars: Calendars,
): void {
  const signs: { readonly [kind in MovementKind]: bigint } = {
    charged: 1n,
    moved: 1n,
    received: -1n,
    released: -1n,
    ceded: -1n,
  };
  const [account] = runToEnd(loanAccounts(book, range, calendars, order));
  const totals = (each: readonly { kind: MovementKind; charge: Charge; amount: bigint; tax: bigint }[]) => {
    const sums = new Map<string, bigint>();
    for (const { kind, charge, amount, tax } of each) {
      const key = `${kind} ${charge}`;
      sums.set(key, (sums.get(key) ?? 0n) + amount + tax);
    }
    return [...sums].filter(([, sum]) => sum !== 0n).sort();
  };
  const expected = (account?.movements ?? []).map(({ movement }) => ({
    ...movement,
    amount: signs[movement.kind] * movement.amount,
    tax: signs[movement.kind] * movement.tax,
  }));
  const found = lines.filter(({ day }) => range.from <= day && day <= range.to);
  expectEqual({ range, totals: totals(found) }, { range, totals: totals(expected) });
}

propertyTest('after every fact the movements sum to what each Loan owes and to its statement', ({ production }) => {
  const { recorded, calendars } = production;
  const journal = new Journal();
  let book = EMPTY_BOOK;
  for (const entry of recorded) {
    const next = addFact(book, entry, calendars).book;
    journal.addMovements(bookMovement(book, next, calendars));
    book = next;
    for (const order of book.loans.keys()) {
      const lines = journal.ofLoan(order);
      if (lines.length > 0) checkLoan(book, order, lines, calendars);
    }
  }
});

propertyTest('the movements of single facts sum to the movement of all of them at once', ({ production }) => {
  const { recorded, calendars } = production;
  const [once, stepwise] = [new Journal(), new Journal()];
  let book = EMPTY_BOOK;
  for (const entry of recorded) {
    const next = addFact(book, entry, calendars).book;
    stepwise.addMovements(bookMovement(book, next, calendars));
    book = next;
  }
  once.addMovements(bookMovement(EMPTY_BOOK, book, calendars));
  expectEqual(stepwise.all, once.all);
});
