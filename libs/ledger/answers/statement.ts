/** Statements: for a range of days, each Loan's opening and closing debt and the lines between them. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import type { FactName } from '#libs/ledger/anomaly-causes.ts';
import { type ChargeLine, chargeLine, moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import {
  type AccountMovement,
  type DayRange,
  type LoanAccount,
  loanAccounts,
} from '#libs/ledger/answers/loan-accounts.ts';
import { isListedPerPeriod, type Movement, type MovementKind } from '#libs/ledger/answers/movements.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import { type CooperativeTask, mapInTask } from '#libs/ledger/cooperative-loop.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

type StatementLine = ChargeLine & {
  readonly on: string;
  readonly kind: MovementKind;
  readonly period?: number;
  readonly fact?: FactName;
};

type StatementSums = {
  readonly opening: MoneyJson;
  readonly charged: MoneyJson;
  readonly received: MoneyJson;
  readonly released: MoneyJson;
  readonly ceded_away: MoneyJson;
  readonly closing: MoneyJson;
  readonly interest_charged: MoneyJson;
  readonly commissions_charged: MoneyJson;
  readonly penalties_charged: MoneyJson;
};

export type LoanStatement = StatementSums & {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly StatementLine[];
  readonly anomalies: readonly Anomaly[];
};

export type Statement = {
  readonly client_id: string;
  readonly from: string;
  readonly to: string;
  readonly loans: readonly LoanStatement[];
  readonly currencies: readonly (StatementSums & {
    readonly currency: string;
    readonly loans: number;
    readonly anomalies: readonly Anomaly[];
  })[];
};

/** Yields after each step of the fold and each Loan. */
export function* statement(
  book: FoldedFacts,
  clientId: string,
  range: DayRange,
  calendars: Calendars,
): CooperativeTask<Statement> {
  const accounts = yield* loanAccounts(book, range, calendars);
  const currencies = [...new Set(accounts.map(({ loan }) => loan.terms.currency))].sort();
  return {
    client_id: clientId,
    from: formatDay(range.from),
    to: formatDay(range.to),
    loans: yield* mapInTask(accounts, (account) => accountStatement(book, account, range), 1),
    currencies: currencies.map((currency) => {
      const inCurrency = accounts.filter(({ loan }) => loan.terms.currency === currency);
      return { currency, loans: inCurrency.length, ...sumsOf(inCurrency, currency), anomalies: [] };
    }),
  };
}

/** Yields after each step of the fold. */
export function* loanStatement(
  book: FoldedFacts,
  order: number,
  range: DayRange,
  calendars: Calendars,
): CooperativeTask<LoanStatement> {
  const [account] = yield* loanAccounts(book, range, calendars, order);
  if (account === undefined) throw new Error(`the book has no Loan ${order}`);
  return accountStatement(book, account, range);
}

function accountStatement(book: FoldedFacts, account: LoanAccount, { from, to }: DayRange): LoanStatement {
  const { loan } = account;
  const { currency } = loan.terms;
  return {
    id: loan.id,
    reference: loan.reference,
    currency,
    from: formatDay(from),
    to: formatDay(to),
    ...sumsOf([account], currency),
    lines: linesOf(account, currency),
    anomalies: anomaliesOf(book, loan),
  };
}

/** In the order of days. Within a day, charges of time come before facts. */
function linesOf({ movements }: LoanAccount, currency: string): readonly StatementLine[] {
  const ofTime: AccountMovement[] = [
    ...sumPerPeriod(movements).map((movement) => ({ movement })),
    ...movements.filter(({ movement, fact }) => movement.period === undefined && fact === undefined),
  ];
  ofTime.sort((a, b) => compareMovements(a.movement, b.movement));
  const ofFacts = movements.filter(({ fact }) => fact !== undefined);
  return mergeByDay(ofTime, ofFacts)
    .filter(({ movement }) => movement.amount !== 0n || movement.tax !== 0n)
    .map((movement) => lineOf(movement, currency));
}

/** Interest and penalty make one line per period, dated when it last grew. */
function sumPerPeriod(movements: readonly AccountMovement[]): readonly Movement[] {
  const sums = new Map<string, Movement>();
  for (const { movement } of movements) {
    if (movement.period === undefined) continue;
    const key = `${movement.charge} ${movement.period}`;
    const { amount, tax } = sums.get(key) ?? { amount: 0n, tax: 0n };
    sums.set(key, { ...movement, amount: amount + movement.amount, tax: tax + movement.tax });
  }
  return [...sums.values()];
}

function compareMovements(a: Movement, b: Movement): number {
  return a.on - b.on || CHARGES.indexOf(a.charge) - CHARGES.indexOf(b.charge) || (a.period ?? 0) - (b.period ?? 0);
}

/** Both lists are in the order of days. */
function mergeByDay(
  ofTime: readonly AccountMovement[],
  ofFacts: readonly AccountMovement[],
): readonly AccountMovement[] {
  const merged: AccountMovement[] = [];
  let next = 0;
  for (const fact of ofFacts) {
    for (
      let charge = ofTime[next];
      charge !== undefined && charge.movement.on <= fact.movement.on;
      charge = ofTime[next]
    ) {
      merged.push(charge);
      next += 1;
    }
    merged.push(fact);
  }
  return [...merged, ...ofTime.slice(next)];
}

function lineOf({ movement, fact }: AccountMovement, currency: string): StatementLine {
  const { on, kind, charge, period } = movement;
  const line = { on: formatDay(on), kind, ...chargeLine(charge, movement, currency) };
  if (period !== undefined && kind === 'charged' && isListedPerPeriod(charge)) return { ...line, period };
  return fact === undefined ? line : { ...line, fact };
}

function sumsOf(accounts: readonly LoanAccount[], currency: string): StatementSums {
  const movements = accounts.flatMap((account) => account.movements.map(({ movement }) => movement));
  const sum = (matches: (movement: Movement) => boolean): bigint =>
    movements.reduce((total, movement) => (matches(movement) ? total + movement.amount + movement.tax : total), 0n);
  const sumOfKind = (kind: MovementKind) => sum((movement) => movement.kind === kind);
  const sumCharged = (...charges: Charge[]) =>
    sum(({ kind, charge }) => kind === 'charged' && charges.includes(charge));
  const opening = accounts.reduce((total, account) => total + account.opening, 0n);
  const closing = accounts.reduce((total, account) => total + account.closing, 0n);
  const charged = sumOfKind('charged');
  const received = sumOfKind('received');
  const released = sumOfKind('released');
  const cededAway = sumOfKind('ceded');
  const expected = opening + charged - received - released - cededAway;
  // No answer is better than a wrong one.
  if (expected !== closing) {
    throw new Error(`statement does not balance: closing debt is ${closing}, its movements give ${expected}`);
  }
  return {
    opening: moneyFigure(opening, currency),
    charged: moneyFigure(charged, currency),
    received: moneyFigure(received, currency),
    released: moneyFigure(released, currency),
    ceded_away: moneyFigure(cededAway, currency),
    closing: moneyFigure(closing, currency),
    interest_charged: moneyFigure(sumCharged('interest'), currency),
    commissions_charged: moneyFigure(sumCharged('fee', 'late_fee'), currency),
    penalties_charged: moneyFigure(sumCharged('penalty'), currency),
  };
}
