import { addDays, type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type Money, money } from '#libs/ledger/answers/figures.ts';
import { asks, hasBegun, notBegun } from '#libs/ledger/answers/moment.ts';
import {
  charged,
  linesOfPeriod,
  type Movement,
  type MovementKind,
  ofAct,
  ofBeginning,
  ofCession,
  ofReceipt,
} from '#libs/ledger/answers/movements.ts';
import { itemAt } from '#libs/ledger/append-list.ts';
import { type Book, type FactName, stateAfter, stepsUntil } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { openDay } from '#libs/ledger/charges/accrue-to.ts';
import { payoff, totalOf } from '#libs/ledger/charges/debt.ts';
import { foldStep, type State, type StepOutcome } from '#libs/ledger/fold.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { Step } from '#libs/ledger/steps.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';

type Line = {
  readonly on: string;
  readonly kind: MovementKind;
  readonly charge: Charge;
  readonly amount: Money;
  readonly tax: Money;
  readonly total: Money;
  readonly period?: number;
  readonly fact?: FactName;
};

type Sums = {
  readonly opening: Money;
  readonly charged: Money;
  readonly received: Money;
  readonly released: Money;
  readonly ceded_away: Money;
  readonly closing: Money;
  readonly interest_charged: Money;
  readonly commissions_charged: Money;
  readonly penalties_charged: Money;
};

export type LoanStatement = Sums & {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly Line[];
  readonly anomalies: readonly Anomaly[];
};

export type Statement = {
  readonly client_id: string;
  readonly from: string;
  readonly to: string;
  readonly loans: readonly LoanStatement[];
  readonly currencies: readonly (Sums & {
    readonly currency: string;
    readonly loans: number;
    readonly anomalies: readonly Anomaly[];
  })[];
};

export type Span = { readonly from: CivilDay; readonly to: CivilDay };

export function statement(book: Book, clientId: string, span: Span, calendars: Calendars): Statement {
  const accounts = accountsOf(book, span, calendars);
  const loans = accounts.map((account) => loanStatementOf(book, account, span));
  const currencies = [...new Set(accounts.map(({ loan }) => loan.terms.currency))].sort();
  return {
    client_id: clientId,
    from: formatDay(span.from),
    to: formatDay(span.to),
    loans,
    currencies: currencies.map((currency) => {
      const own = accounts.filter(({ loan }) => loan.terms.currency === currency);
      return { currency, loans: own.length, ...sumsOf(own, currency), anomalies: [] };
    }),
  };
}

export function loanStatement(book: Book, order: number, span: Span, calendars: Calendars): LoanStatement {
  const account = accountsOf(book, span, calendars, order)[0] as Account;
  return loanStatementOf(book, account, span);
}

/** A Loan's account over the span: what it opened and closed with, and what moved between. */
type Account = {
  readonly order: number;
  /** As the walk has it: the Loan by the facts so far, and the day up to which its time was charged. */
  loan: Loan;
  day: CivilDay;
  readonly opening: bigint;
  closing: bigint;
  readonly moved: { readonly movement: Movement; readonly fact?: FactName }[];
};

function accountsOf(book: Book, span: Span, calendars: Calendars, only?: number): Account[] {
  const before = addDays(span.from, -1);
  const first = stepsUntil(book, before);
  const last = stepsUntil(book, span.to);
  let state = stateAfter(book, first, calendars);
  const accounts: Account[] = [];
  book.loans.forEach((record, order) => {
    if (only !== undefined && only !== order) return;
    const begun = state.loans[order];
    const loan = begun === undefined ? notBegun(record, order) : openDay(begun, before);
    accounts.push({ order, loan, day: before, opening: debtOn(loan, before), closing: 0n, moved: [] });
  });
  for (let at = first; at < last; at += 1) {
    const step = itemAt(book.steps, at);
    const folded = foldStep(state, step, calendars);
    for (const account of accounts) follow(account, step, state, folded.state, folded.outcome);
    state = folded.state;
  }
  for (const account of accounts) {
    passTime(account, span.to);
    account.closing = debtOn(account.loan, span.to);
  }
  return accounts;
}

function debtOn(loan: Loan, on: CivilDay): bigint {
  const gone = loan.cession !== undefined && loan.cession.on <= on;
  return hasBegun(loan, on) && asks(loan, on) && !gone ? totalOf(payoff(loan, on)) : 0n;
}

function passTime(account: Account, to: CivilDay): void {
  const { loan, day } = account;
  // What became the assignee's is followed no further.
  if (to <= day || !hasBegun(loan, day) || loan.cession !== undefined) return;
  const opened = openDay(loan, to);
  for (const movement of charged(loan, opened, day, to)) account.moved.push({ movement });
  account.loan = opened;
  account.day = to;
}

function follow(account: Account, step: Step, before: State, after: State, outcome: StepOutcome): void {
  const now = after.loans[account.order];
  if (now === undefined || now === before.loans[account.order]) return;
  if (step.type === 'issuance') {
    begin(account, now, step.on);
    return;
  }
  // A suspension is known as its day opens.
  passTime(account, step.type === 'act' && step.act.kind === 'suspended' ? addDays(step.on, -1) : step.on);
  const was = account.loan;
  account.loan = now;
  const fact: FactName =
    step.type === 'act' ? { type: 'event', id: step.act.event } : { type: 'receipt', id: step.receipt.reference };
  for (const movement of movementsOf(step, was, now, outcome)) {
    // Interest and penalty charged are lines of their period and name no fact, whatever made them grow.
    account.moved.push(movement.period === undefined ? { movement, fact } : { movement });
  }
}

function movementsOf(
  step: Exclude<Step, { type: 'issuance' }>,
  was: Loan,
  now: Loan,
  outcome: StepOutcome,
): Movement[] {
  if (step.type === 'receipt') {
    const shares = outcome.type === 'receipt' ? outcome.placed.shares : [];
    const share = shares.find(({ order }) => order === now.order);
    return share === undefined ? [] : ofReceipt(was, now, step.on, share);
  }
  switch (step.act.kind) {
    case 'suspended':
      return [];
    case 'confirmed':
      return was.held && !now.held ? ofBeginning(now, step.on) : [];
    case 'ceded':
      return now.cession === undefined ? [] : ofCession(was, step.on);
    default:
      return ofAct(was, now, step.on, step.act.kind === 'restructured');
  }
}

function begin(account: Account, loan: Loan, on: CivilDay): void {
  account.loan = loan;
  account.day = on;
  for (const movement of ofBeginning(loan, on)) account.moved.push({ movement });
}

function loanStatementOf(book: Book, account: Account, span: Span): LoanStatement {
  const { loan } = account;
  const { currency } = loan.terms;
  return {
    id: loan.id,
    reference: loan.reference,
    currency,
    from: formatDay(span.from),
    to: formatDay(span.to),
    ...sumsOf([account], currency),
    lines: linesOf(account, currency),
    anomalies: anomaliesOf(book, loan),
  };
}

type Placed = { readonly movement: Movement; readonly fact?: FactName };

/** One line a period for interest and penalty, dated when it last grew; time before facts within a day. */
function linesOf({ moved }: Account, currency: string): readonly Line[] {
  const grown = new Map<string, Movement>();
  const others: Placed[] = [];
  for (const each of moved) {
    const { movement } = each;
    if (movement.period === undefined) {
      others.push(each);
      continue;
    }
    const key = `${movement.charge} ${movement.period}`;
    const sum = grown.get(key);
    if (sum === undefined) grown.set(key, movement);
    else grown.set(key, { ...movement, amount: sum.amount + movement.amount, tax: sum.tax + movement.tax });
  }
  const timed: Placed[] = [
    ...[...grown.values()].map((movement) => ({ movement })),
    ...others.filter(({ fact }) => fact === undefined),
  ];
  timed.sort((a, b) => a.movement.on - b.movement.on || byCharge(a.movement, b.movement) || period(a) - period(b));
  const facts = others.filter(({ fact }) => fact !== undefined);
  const all = merged(timed, facts);
  return all
    .filter(({ movement }) => movement.amount !== 0n || movement.tax !== 0n)
    .map((each) => lineOf(each, currency));
}

function byCharge(a: Movement, b: Movement): number {
  return CHARGES.indexOf(a.charge) - CHARGES.indexOf(b.charge);
}

function period({ movement }: Placed): number {
  return movement.period ?? 0;
}

/** Both come in the order of days; on one day time goes first. */
function merged(timed: readonly Placed[], facts: readonly Placed[]): Placed[] {
  const all: Placed[] = [];
  let next = 0;
  for (const fact of facts) {
    for (let each = timed[next]; each !== undefined && each.movement.on <= fact.movement.on; each = timed[next]) {
      all.push(each);
      next += 1;
    }
    all.push(fact);
  }
  return [...all, ...timed.slice(next)];
}

function lineOf({ movement, fact }: Placed, currency: string): Line {
  const { on, kind, charge, amount, tax, period: index } = movement;
  const line = {
    on: formatDay(on),
    kind,
    charge,
    amount: money(amount, currency),
    tax: money(tax, currency),
    total: money(amount + tax, currency),
  };
  if (index !== undefined && kind === 'charged' && linesOfPeriod(charge)) return { ...line, period: index };
  return fact === undefined ? line : { ...line, fact };
}

function sumsOf(accounts: readonly Account[], currency: string): Sums {
  const sum = (matches: (movement: Movement) => boolean) =>
    accounts.reduce(
      (total, { moved }) =>
        moved.reduce((own, { movement }) => (matches(movement) ? own + movement.amount + movement.tax : own), total),
      0n,
    );
  const kind = (wanted: MovementKind) => sum((movement) => movement.kind === wanted);
  const chargedOn = (...charges: Charge[]) =>
    sum(({ kind: each, charge }) => each === 'charged' && charges.includes(charge));
  const opening = accounts.reduce((total, account) => total + account.opening, 0n);
  const closing = accounts.reduce((total, account) => total + account.closing, 0n);
  const figures = {
    opening,
    charged: kind('charged'),
    received: kind('received'),
    released: kind('released'),
    ceded_away: kind('ceded'),
    closing,
    interest_charged: chargedOn('interest'),
    commissions_charged: chargedOn('fee', 'late_fee'),
    penalties_charged: chargedOn('penalty'),
  };
  const { charged: added, received, released, ceded_away } = figures;
  // Rather no answer than one that does not add up.
  if (opening + added - received - released - ceded_away !== closing) throw new Error('a statement does not add up');
  return Object.fromEntries(Object.entries(figures).map(([name, amount]) => [name, money(amount, currency)])) as Sums;
}
