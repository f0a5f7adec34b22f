/**
 * Facts for the tests of this library. Days are text and money is in minor units, so that an example reads as a lender
 * would state it. An act is named after its kind unless it states an `event`, and is about the Loan `L` unless it
 * states a `loan`.
 */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { type Act, actFact } from '#libs/ledger/act.ts';
import { acceleration } from '#libs/ledger/acts/acceleration.ts';
import { cancellation } from '#libs/ledger/acts/cancellation.ts';
import { cession } from '#libs/ledger/acts/cession.ts';
import { confirmation } from '#libs/ledger/acts/confirmation.ts';
import { rescission } from '#libs/ledger/acts/rescission.ts';
import { type RestructureBody, restructure } from '#libs/ledger/acts/restructure.ts';
import { goodsReturned } from '#libs/ledger/acts/return.ts';
import { rollover } from '#libs/ledger/acts/rollover.ts';
import { settlement } from '#libs/ledger/acts/settlement.ts';
import { suspension } from '#libs/ledger/acts/suspension.ts';
import { suspensionEnd } from '#libs/ledger/acts/suspension-end.ts';
import { voiding } from '#libs/ledger/acts/voiding.ts';
import { type WaiverBody, waiver } from '#libs/ledger/acts/waiver.ts';
import { withdrawal } from '#libs/ledger/acts/withdrawal.ts';
import { writeOff } from '#libs/ledger/acts/write-off.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { issueLoan, type LoanOffer, type StatedLoan } from '#libs/ledger/issuance.ts';
import { MAX_AMOUNT, type Minor } from '#libs/money/minor.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { workedBookMarket } from '#libs/product/markets/testing/example-markets.ts';
import type { Product } from '#libs/product/product.ts';
import type { Charge } from '#libs/product/terms.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

/** A fact to record, once the book it is recorded in is known. */
export type FactBuilder = (book: FoldedFacts) => Fact | Refusal;

type ExampleProduct = Omit<Product, 'terms'> & LoanOffer;

export type IssuanceExample = Partial<Omit<StatedLoan, 'rate' | 'penaltyRate' | 'anchor' | 'tax' | 'holdUntil'>> & {
  readonly loan?: string;
  readonly rate?: string;
  readonly penaltyRate?: string;
  readonly anchor?: string;
  readonly holdUntil?: string;
  readonly tax?: { readonly rate: string; readonly on: readonly Charge[] };
  /** Where the product or the law differs from the example product and the example market. */
  readonly product?: Partial<ExampleProduct>;
  readonly law?: Partial<{ readonly [rule in keyof Market]: unknown }>;
};

export const EXAMPLE_MARKET = workedBookMarket({ weekend: [], covers_to: '2035-12-31' });

export const calendars: Calendars = () => EXAMPLE_MARKET.calendar.value;

/** The name under which acts that plan days keep the calendar of the examples. */
const CALENDAR = 'MX@1';

const EXAMPLE_PRODUCT: ExampleProduct = {
  archetype: 'instalment',
  unit: 'loans',
  currency: 'MXN',
  principalMin: 1n as Minor,
  principalMax: MAX_AMOUNT,
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
 * A Loan. With nothing stated: 900.00 over three periods of thirty days from 2026-01-01, 300.00 of principal each, at
 * 12 % a year: interest 9.00, 6.00 and 3.00 with tax 1.44, 0.96 and 0.48, due 2026-01-31, 2026-03-02 and 2026-04-01.
 */
export function issued({ loan: loanId = 'L', product, law, ...stated }: IssuanceExample = {}): FactBuilder {
  const market = { ...EXAMPLE_MARKET, ...law } as Market;
  return () => {
    const { rate, penaltyRate, anchor, tax, holdUntil, ...others } = stated;
    const terms: StatedLoan = {
      principal: 900_00n,
      currency: 'MXN',
      termPeriods: 3,
      ...others,
      rate: rateOf(rate ?? '12'),
      penaltyRate: rateOf(penaltyRate ?? '36'),
      anchor: dayOf(anchor ?? '2026-01-01'),
      jurisdiction: market.jurisdiction,
      tax: { rate: rateOf(tax?.rate ?? '16'), on: tax?.on ?? ['interest', 'fee', 'penalty', 'late_fee'] },
      ...(holdUntil === undefined ? {} : { holdUntil: dayOf(holdUntil) }),
    };
    const planned = issueLoan(terms, { ...EXAMPLE_PRODUCT, ...product }, market);
    if (isRefusal(planned)) return planned;
    return { type: 'issuance', event: loanId, loanId, reference: `ref-${loanId}`, ...planned };
  };
}

type ReceiptExample = {
  readonly reference?: string;
  readonly loan?: string;
  readonly payoff?: boolean;
  readonly currency?: string;
};

/** A Receipt, undesignated unless it states a `loan`. */
export function received(on: string, amount: bigint, example: ReceiptExample = {}): FactBuilder {
  return (book) => {
    const { reference = `r-${on}`, loan, payoff: payoffIntent = false, currency = 'MXN' } = example;
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

export function reversed(receipt: string): FactBuilder {
  return () => ({ type: 'reversal', reference: `v-${receipt}`, receipt });
}

export function retracted(on: string, target: string, { loan = 'L' } = {}): FactBuilder {
  return (book) => {
    const event = `retracted-${target}`;
    return { type: 'retraction', event, reference: event, loan: orderOf(book, loan), on: dayOf(on), target };
  };
}

export type ActNames = { readonly event?: string; readonly loan?: string };

/** Any act, including one that exists only in tests. */
export function performed<Body>(act: Act<Body>, on: string, body: Body, names: ActNames = {}): FactBuilder {
  const { event = act.kind, loan = 'L' } = names;
  return (book) => actFact(act, { event, reference: event, loan: orderOf(book, loan), on: dayOf(on) }, body);
}

const dayOnly =
  (act: Act<undefined>) =>
  (on: string, names?: ActNames): FactBuilder =>
    performed(act, on, undefined, names);

export const confirmed = dayOnly(confirmation);
export const voided = dayOnly(voiding);
export const cancelled = dayOnly(cancellation);
export const rescinded = dayOnly(rescission);
export const withdrawn = dayOnly(withdrawal);
export const writtenOff = dayOnly(writeOff);
export const ceded = dayOnly(cession);

export const rolledOver = (on: string, names?: ActNames): FactBuilder =>
  performed(rollover, on, { calendar: CALENDAR }, names);

export const suspended = (on: string, to: string, names?: ActNames): FactBuilder =>
  performed(suspension, on, { to: dayOf(to) }, names);

export const suspensionEnded = (on: string, suspended = 'suspended', names?: ActNames): FactBuilder =>
  performed(suspensionEnd, on, { suspension: suspended }, names);

export const waived = (on: string, body: WaiverBody, names?: ActNames): FactBuilder =>
  performed(waiver, on, body, names);

export const returned = (on: string, amount: bigint, names?: ActNames): FactBuilder =>
  performed(goodsReturned, on, { amount }, names);

export const accelerated = (on: string, notifiedOn = on, names?: ActNames): FactBuilder =>
  performed(acceleration, on, { notifiedOn: dayOf(notifiedOn) }, names);

export const settledForLess = (on: string, agreed: bigint, until = on, names?: ActNames): FactBuilder =>
  performed(settlement, on, { agreed, until: dayOf(until) }, names);

type NewTerms = Pick<RestructureBody, 'termPeriods' | 'schedule'> & {
  readonly rate: string;
  readonly penaltyRate?: string;
};

export function restructured(on: string, { rate, penaltyRate, ...terms }: NewTerms, names?: ActNames): FactBuilder {
  const penalty = penaltyRate === undefined ? {} : { penaltyRate: rateOf(penaltyRate) };
  return performed(restructure, on, { ...terms, rate: rateOf(rate), ...penalty, calendar: CALENDAR }, names);
}

/** The Loan's place in the order of recording. */
export function orderOf(book: FoldedFacts, loan: string): number {
  const order = book.log.loan(book.loans.length, loan);
  if (order === undefined) throw new Error(`the example names a Loan that its book does not hold: ${loan}`);
  return order;
}
