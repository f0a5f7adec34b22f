/**
 * The language of this library's tests: what was recorded, what is recorded next, and what that comes to. Days are
 * text and money whole minor units, so that an example reads as a lender would tell it. An act is named after its kind
 * unless it states an `event`, and is about the first Loan unless it states a `loan`.
 */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { admitFact, loanAt } from '#libs/ledger/admit.ts';
import { asks, bookOnDay } from '#libs/ledger/answers/moment.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { schedule } from '#libs/ledger/answers/schedule.ts';
import { statement } from '#libs/ledger/answers/statement.ts';
import { type Book, NO_BOOK, outcomeOf } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { NO_DEBT, overdue, payoff, quoted, totalOf } from '#libs/ledger/charges/debt.ts';
import type { ActBodies, ActKind, Fact, ReceiptFact } from '#libs/ledger/facts.ts';
import { issueLoan, type Offered, type StatedLoan } from '#libs/ledger/issuance.ts';
import type { Debt, Loan } from '#libs/ledger/loan.ts';
import type { Placed } from '#libs/ledger/receipts/allocate-receipt.ts';
import { type LoanState, stateOf } from '#libs/ledger/state.ts';
import { type Minor, MOST } from '#libs/money/minor.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { workedBookMarket } from '#libs/product/markets/testing/made-up-markets.ts';
import type { Product } from '#libs/product/product.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

type WholeProduct = Omit<Product, 'terms'> & Offered;

/** What is recorded next, told before the book it is recorded in is known. */
export type Telling = (book: Book) => Fact | Refusal;

export type Terms = Partial<Omit<StatedLoan, 'rate' | 'penaltyRate' | 'anchor' | 'tax' | 'holdUntil'>> & {
  readonly loan?: string;
  readonly rate?: string;
  readonly penaltyRate?: string;
  readonly anchor?: string;
  readonly holdUntil?: string;
  readonly tax?: { readonly rate: string; readonly on: readonly Charge[] };
  /** Where the product or the law differs from the common one. */
  readonly product?: Partial<WholeProduct>;
  readonly law?: Partial<{ readonly [rule in keyof Market]: unknown }>;
};

export const COMMON_LAW = workedBookMarket({ weekend: [], covers_to: '2035-12-31' });

const COMMON: WholeProduct = {
  archetype: 'instalment',
  unit: 'loans',
  currency: 'MXN',
  principalMin: 1n as Minor,
  principalMax: MOST,
  rateMin: rateOf('0'),
  rateMax: rateOf('500'),
  penaltyRateMin: rateOf('0'),
  penaltyRateMax: rateOf('500'),
  basis: 'actual_360',
  amortisation: 'equal_principal',
  schedules: [{ kind: 'anchored_every_n_days', interval_days: 30 }],
  originationFee: 0n as Minor,
  lateFee: 0n as Minor,
  rolloverFee: 0n as Minor,
  downPaymentMinBps: 0,
  downPaymentMaxBps: 9_000,
  treatment: 'reduces_principal',
  chargeOrder: ['penalty', 'late_fee', 'fee', 'interest', 'principal'],
  toleranceDays: 0,
  tolerance: 0n as Minor,
  maxRollovers: 0,
  holdDays: 30,
  guards: { refuseWhileOverdue: false },
  penaltyBase: 'overdue_principal',
  acceleration: { forbidden: false, missedPeriods: 1, noticeDays: 0 },
  withdrawalDays: 0,
};

/**
 * A Loan; with nothing stated 900.00 over three periods of thirty days from 2026-01-01, 300.00 of principal each, at
 * 12 % a year: interest 9.00, 6.00 and 3.00 with tax 1.44, 0.96 and 0.48, due 2026-01-31, 2026-03-02 and 2026-04-01.
 */
export function issued({ loan = 'L', product, law, ...stated }: Terms = {}): Telling {
  const market = { ...COMMON_LAW, ...law } as Market;
  return () => {
    const loanId = loan;
    const terms: StatedLoan = {
      ...stated,
      principal: stated.principal ?? 900_00n,
      currency: stated.currency ?? 'MXN',
      termPeriods: stated.termPeriods ?? 3,
      rate: rateOf(stated.rate ?? '12'),
      penaltyRate: rateOf(stated.penaltyRate ?? '36'),
      anchor: dayOf(stated.anchor ?? '2026-01-01'),
      jurisdiction: market.jurisdiction,
      tax: {
        rate: rateOf(stated.tax?.rate ?? '16'),
        on: stated.tax?.on ?? ['interest', 'fee', 'penalty', 'late_fee'],
      },
      ...(stated.holdUntil === undefined ? {} : { holdUntil: dayOf(stated.holdUntil) }),
    } as StatedLoan;
    const loanIssued = issueLoan(terms, { ...COMMON, ...product }, market);
    if (isRefusal(loanIssued)) return loanIssued;
    return { type: 'issuance', event: loanId, loanId, reference: `ref-${loanId}`, ...loanIssued };
  };
}

type Money = {
  readonly reference?: string;
  readonly loan?: string;
  readonly payoff?: boolean;
  readonly currency?: string;
};

/** Money of the day: for whatever the order gives it to, or for one Loan. */
export function received(on: string, amount: bigint, more: Money = {}): Telling {
  return (book) => {
    const { reference = `r-${on}`, loan, payoff: payoffIntent = false, currency = 'MXN' } = more;
    return {
      type: 'receipt',
      id: reference,
      reference,
      currency,
      amount,
      valueDate: dayOf(on),
      payoffIntent,
      ...(loan === undefined ? {} : { designated: orderOf(book, loan) }),
    };
  };
}

export function reversed(receipt: string): Telling {
  return () => ({ type: 'reversal', reference: `v-${receipt}`, receipt });
}

export function retracted(on: string, target: string, { loan = 'L' } = {}): Telling {
  return (book) => {
    const event = `retracted-${target}`;
    return { type: 'retraction', event, reference: event, loan: orderOf(book, loan), on: dayOf(on), target };
  };
}

type About = { readonly event?: string; readonly loan?: string };

function act<Kind extends ActKind>(
  kind: Kind,
  on: string,
  { event = kind, loan = 'L' }: About,
  body?: ActBodies[Kind],
) {
  return (book: Book): Fact => {
    const common = { type: 'act', kind, event, reference: event, loan: orderOf(book, loan), on: dayOf(on) };
    return (body === undefined ? common : { ...common, body }) as Fact;
  };
}

type Bare = (on: string, about?: About) => Telling;
const bare =
  (kind: ActKind): Bare =>
  (on, about = {}) =>
    act(kind, on, about);

export const confirmed = bare('confirmed');
export const voided = bare('voided');
export const cancelled = bare('cancelled');
export const rescinded = bare('rescinded');
export const withdrawn = bare('withdrawn');
/** The one calendar of these examples, under the name that acts which plan days keep. */
const CALENDAR = 'MX@1';

export const rolledOver = (on: string, about: About = {}): Telling =>
  act('rolled_over', on, about, { calendar: CALENDAR });
export const writtenOff = bare('written_off');
export const ceded = bare('ceded');

export const suspended = (on: string, to: string, about: About = {}): Telling =>
  act('suspended', on, about, { to: dayOf(to) });

export const suspensionEnded = (on: string, suspension = 'suspended', about: About = {}): Telling =>
  act('suspension_ended', on, about, { suspension });

export const waived = (on: string, body: ActBodies['waived'], about: About = {}): Telling =>
  act('waived', on, about, body);

export const returned = (on: string, amount: bigint, about: About = {}): Telling =>
  act('returned', on, about, { amount });

export const accelerated = (on: string, notifiedOn = on, about: About = {}): Telling =>
  act('accelerated', on, about, { notifiedOn: dayOf(notifiedOn) });

export const settledForLess = (on: string, agreed: bigint, until = on, about: About = {}): Telling =>
  act('settled_for_less', on, about, { agreed, until: dayOf(until) });

type NewTerms = Omit<ActBodies['restructured'], 'rate' | 'penaltyRate' | 'calendar'> & {
  readonly rate: string;
  readonly penaltyRate?: string;
};

export function restructured(on: string, { rate, penaltyRate, ...body }: NewTerms, about: About = {}): Telling {
  const penalty = penaltyRate === undefined ? {} : { penaltyRate: rateOf(penaltyRate) };
  return act('restructured', on, about, { ...body, rate: rateOf(rate), ...penalty, calendar: CALENDAR });
}

function orderOf(book: Book, loan: string): number {
  const order = book.log.loan(book.loans.length, loan);
  if (order === undefined) throw new Error(`no Loan ${loan} in this book`);
  return order;
}

export const calendars: Calendars = () => COMMON_LAW.calendar.value;

/** The book of what was recorded. That all of it is admitted is taken for granted: a refusal here is a wrong test. */
export function given(...facts: readonly Telling[]): Told {
  return facts.reduce((told, fact) => {
    const next = told.when(fact);
    if (next.refusal !== undefined) throw new Error(`the test's own book refuses a fact: ${next.refusal.code}`);
    return next;
  }, new Told(NO_BOOK));
}

/** A charge's amount before tax, and the tax of all of it; what is nothing is left out. */
export type Owes = Partial<{ readonly [part in Charge | 'tax']: bigint }>;

/** A book, and what became of the fact recorded last. */
export class Told {
  readonly book: Book;
  readonly refusal: Refusal | undefined;

  constructor(book: Book, refusal?: Refusal) {
    this.book = book;
    this.refusal = refusal;
  }

  when(fact: Telling): Told {
    const read = fact(this.book);
    const entry = { seq: this.book.length + 1, at: '', told: {} };
    const added = isRefusal(read) ? read : admitFact(this.book, { ...entry, fact: read }, calendars);
    return isRefusal(added) ? new Told(this.book, added) : new Told(added.book);
  }

  get refused(): Refusal['code'] | undefined {
    return this.refusal?.code;
  }

  /** The Loan as all facts have it. */
  loan(id = 'L'): Loan {
    return loanAt(this.book, orderOf(this.book, id));
  }

  state(id = 'L'): LoanState {
    return stateOf(this.loan(id));
  }

  /** Everything that discharging the Loan on the day takes. */
  owes(on: string, id = 'L'): Owes {
    return this.#asked(on, id, payoff);
  }

  overdue(on: string, id = 'L'): Owes {
    return this.#asked(on, id, overdue);
  }

  /** What the payoff quotes: as `owes`, or what is left of a settlement. */
  quoted(on: string, id = 'L'): Owes {
    return this.#asked(on, id, quoted);
  }

  /** `owes` in one sum, tax included. */
  debt(on: string, id = 'L'): bigint {
    return Object.values(this.owes(on, id)).reduce((sum, each) => sum + each, 0n);
  }

  schedule(on: string, id = 'L') {
    const moment = bookOnDay(this.book, dayOf(on), calendars);
    return schedule(moment, moment.loans[orderOf(this.book, id)] as Loan);
  }

  statement(from: string, to: string) {
    return statement(this.book, 'c', { from: dayOf(from), to: dayOf(to) }, calendars);
  }

  /** What the Receipt came to: its lines, and what was left of it. */
  placed(reference: string): Placed {
    const recorded = this.book.log.receipt(this.book.length, reference);
    if (recorded === undefined) throw new Error(`no Receipt ${reference} in this book`);
    const outcome = outcomeOf(this.book, recorded.fact as ReceiptFact, recorded.seq, calendars);
    if (outcome?.type !== 'receipt') throw new Error(`the Receipt ${reference} is reversed`);
    return outcome.placed;
  }

  /** What goes back to the Client. */
  get owedBack(): bigint {
    return BigInt(obligations(this.book, 'c', 'MXN').amount.minor_units);
  }

  /** The standing acts whose rule no longer holds, and the code admission would have refused them with. */
  anomalies(id = 'L'): readonly (readonly [string, string])[] {
    return this.loan(id).bounded.map(({ event, kind }) => [event, kind] as const);
  }

  #asked(on: string, id: string, what: (loan: Loan, on: ReturnType<typeof dayOf>) => Debt): Owes {
    const moment = bookOnDay(this.book, dayOf(on), calendars);
    const loan = moment.loans[orderOf(this.book, id)] as Loan;
    const debt = asks(loan, moment.on) ? what(loan, moment.on) : NO_DEBT;
    const tax = totalOf(debt) - CHARGES.reduce((sum, charge) => sum + debt[charge].amount, 0n);
    const parts = [...CHARGES.map((charge) => [charge, debt[charge].amount] as const), ['tax', tax] as const];
    return Object.fromEntries(parts.filter(([, amount]) => amount > 0n));
  }
}
