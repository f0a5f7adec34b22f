/** Issuance: the stated terms are checked against the product and the law, and frozen with the plan. */

import { addDays, type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { fitsAmounts, type IssuedPeriod, makePlan, planDays } from '#libs/ledger/charges/plan.ts';
import type { FrozenDisclosure, IssuedPlan } from '#libs/ledger/facts.ts';
import { jsonNumber } from '#libs/ledger/json-number.ts';
import { taxOn } from '#libs/ledger/line.ts';
import {
  refusePenaltyRateAboveCap,
  refusePenaltyWithLateFee,
  refuseRates,
  refuseSchedule,
  refuseTerm,
} from '#libs/ledger/product-limits.ts';
import { MAX_AMOUNT, type Minor } from '#libs/money/minor.ts';
import { formatRate, type Rate } from '#libs/money/rate.ts';
import { type DisclosureInput, isTaxRateAllowed, type Market } from '#libs/product/markets/market.ts';
import type { OfferedTerms, Product } from '#libs/product/product.ts';
import { type Charge, type LoanTerms, taxRateOn } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** What the caller states of the Loan itself. */
export type StatedLoan = {
  readonly principal: bigint;
  readonly currency: string;
  readonly termPeriods: number;
  readonly rate: Rate;
  readonly penaltyRate?: Rate;
  readonly anchor: CivilDay;
  readonly jurisdiction: string;
  /** The names in `on` are checked against the charges that the market taxes. */
  readonly tax: { readonly rate: Rate; readonly on: readonly string[] };
  readonly downPayment?: bigint;
  readonly schedule?: Schedule;
  readonly holdUntil?: CivilDay;
};

/** What a configuration version offers. Without `terms` it offers any number of periods. */
export type LoanOffer = Omit<OfferedTerms, 'terms'> & { readonly terms?: readonly number[] };

/** Checks the stated terms against what the configuration version offers. */
export function checkOffered(stated: StatedLoan, offer: LoanOffer): Refusal | undefined {
  return (
    checkPrincipal(stated, offer) ??
    checkTerm(stated, offer) ??
    refuseRates(offer, stated.rate, stated.penaltyRate) ??
    checkDownPayment(stated, offer)
  );
}

function checkPrincipal({ principal, currency, penaltyRate }: StatedLoan, offer: LoanOffer): Refusal | undefined {
  if (currency !== offer.currency) {
    return refuse('currency_mismatch', { field: '/principal/currency', bound: offer.currency, observed: currency });
  }
  if (principal < offer.principalMin || principal > offer.principalMax) {
    const bound = principal < offer.principalMin ? offer.principalMin : offer.principalMax;
    return refuse('principal_outside_range', {
      field: '/principal',
      bound: moneyFigure(bound, currency),
      observed: moneyFigure(principal, currency),
    });
  }
  const isMissing = penaltyRate === undefined && offer.penaltyRateMin !== offer.penaltyRateMax;
  const corridor = [offer.penaltyRateMin, offer.penaltyRateMax].map(formatRate);
  return isMissing ? refuse('missing_field', { field: '/penalty_rate', bound: corridor }) : undefined;
}

function checkTerm({ termPeriods, schedule }: StatedLoan, { terms, schedules }: LoanOffer): Refusal | undefined {
  const term = refuseTerm(terms, termPeriods);
  if (term !== undefined) return term;
  if (schedule !== undefined) return refuseSchedule(schedules, schedule);
  return schedules.length > 1 ? refuse('missing_field', { field: '/schedule', bound: schedules }) : undefined;
}

const WHOLE_BPS = 10_000n;

function checkDownPayment(
  { principal, currency, downPayment = 0n }: StatedLoan,
  offer: LoanOffer,
): Refusal | undefined {
  const share = downPayment * WHOLE_BPS;
  const min = principal * BigInt(offer.downPaymentMinBps);
  const max = principal * BigInt(offer.downPaymentMaxBps);
  if (share >= min && share <= max) return undefined;
  // Rounded so that the bound itself is within the range.
  const bound = share < min ? (min + WHOLE_BPS - 1n) / WHOLE_BPS : max / WHOLE_BPS;
  return refuse('down_payment_outside_range', {
    field: '/down_payment',
    bound: moneyFigure(bound, currency),
    observed: moneyFigure(downPayment, currency),
  });
}

/** Checks the stated tax against the law of the Loan's market. */
export function checkTax({ tax, anchor }: StatedLoan, market: Market): Refusal | undefined {
  const allowed = market.tax.value;
  const onAllowed = tax.on.every((name) => isTaxable(name, market));
  if (onAllowed && isTaxRateAllowed(allowed, tax.rate, anchor)) return undefined;
  if (!onAllowed) return refuse('tax_not_provided', { field: '/tax/on', bound: allowed.on, observed: tax.on });
  const rates = allowed.rates.map(({ rate }) => formatRate(rate));
  return refuse('tax_not_provided', { field: '/tax/rate', bound: rates, observed: formatRate(tax.rate) });
}

function isTaxable(name: string, market: Market): name is Charge {
  return market.tax.value.on.some((taxable) => taxable === name);
}

/** Everything that issuance freezes. */
export type PlannedLoan = {
  readonly terms: LoanTerms;
  readonly plan: IssuedPlan;
  readonly disclosure: FrozenDisclosure;
};

/** The Loan to issue, or the refusal of the first remaining check that fails. */
export function issueLoan(
  stated: StatedLoan,
  product: Omit<Product, 'terms'> & LoanOffer,
  market: Market,
): PlannedLoan | Refusal {
  const terms = freezeTerms(stated, product, market);
  const calendar = market.calendar.value;
  const refused =
    refusePenaltyRateAboveCap(terms.penaltyCap, terms.penaltyRate, terms.rate) ??
    refusePenaltyWithLateFee(terms, terms.penaltyRate) ??
    refuseBeyondCalendar(terms, market) ??
    checkHold(terms, product);
  if (refused !== undefined) return refused;
  const { anchor, schedule, termPeriods, rate, basis, amortisation } = terms;
  const balance = terms.principal - terms.downPayment;
  const interestTax = taxRateOn(terms, 'interest');
  const planned = makePlan(
    { balance, termPeriods, rate, anchor, schedule, basis, amortisation, interestTax },
    calendar,
  );
  if ('code' in planned) return planned;
  const periods: IssuedPeriod[] = planned.periods.map(({ scheduledOn, dueOn, principal, interest }, nth) => {
    const fee = nth === 0 ? terms.originationFee : 0n;
    const tax = taxOn(interest, interestTax) + taxOn(fee, taxRateOn(terms, 'fee'));
    return { index: nth + 1, scheduledOn, dueOn, principal, interest, fee, tax };
  });
  const all = terms.downPayment === 0n ? periods : [atPurchase(terms), ...periods];
  if (!fitsAmounts(all)) return refuse('amount_out_of_range', { bound: jsonNumber(MAX_AMOUNT) });
  const disclosure = disclose(terms, periods, market);
  return 'code' in disclosure ? disclosure : { terms, plan: { level: planned.level, periods: all }, disclosure };
}

/** The payment at purchase is period 0. It is received on the anchor, without a Receipt. */
function atPurchase({ anchor, downPayment }: LoanTerms): IssuedPeriod {
  return { index: 0, scheduledOn: anchor, dueOn: anchor, principal: downPayment, interest: 0n, fee: 0n, tax: 0n };
}

function refuseBeyondCalendar(terms: LoanTerms, market: Market): Refusal | undefined {
  const days = planDays(terms, market.calendar.value);
  return 'code' in days ? days : undefined;
}

function checkHold({ holdUntil, anchor }: LoanTerms, { holdDays }: Pick<LoanOffer, 'holdDays'>): Refusal | undefined {
  if (holdUntil === undefined) return undefined;
  const last = addDays(anchor, holdDays);
  if (anchor <= holdUntil && holdUntil <= last) return undefined;
  const bound = formatDay(holdUntil < anchor ? anchor : last);
  return refuse('hold_outside_range', { field: '/hold_until', bound, observed: formatDay(holdUntil) });
}

function disclose(terms: LoanTerms, periods: readonly IssuedPeriod[], market: Market): FrozenDisclosure | Refusal {
  const { convention, version, disclose: computeFigure } = market.disclosure.value;
  const input: DisclosureInput = {
    disbursed: (terms.principal - terms.downPayment) as Minor,
    anchor: terms.anchor,
    schedule: terms.schedule,
    flows: periods.map(({ index, scheduledOn, principal, interest, fee }) => ({
      k: index,
      scheduledOn,
      amount: (principal + interest + fee) as Minor,
    })),
  };
  const disclosed = computeFigure(input);
  if ('refused' in disclosed) return refuse(disclosed.refused);
  const { provisional } = market.disclosure;
  return { jurisdiction: market.jurisdiction, figure: disclosed.figure, convention, version, provisional };
}

/** All terms the fold will read: those stated, those of the product and those of the law. */
function freezeTerms(stated: StatedLoan, product: Omit<Product, 'terms'> & LoanOffer, market: Market): LoanTerms {
  const { terms, rateMin, rateMax, penaltyRateMin, penaltyRateMax, schedules } = product;
  const frame = { rateMin, rateMax, penaltyRateMin, penaltyRateMax, schedules };
  return {
    principal: stated.principal,
    downPayment: stated.downPayment ?? 0n,
    currency: stated.currency,
    termPeriods: stated.termPeriods,
    rate: stated.rate,
    penaltyRate: stated.penaltyRate ?? penaltyRateMin,
    anchor: stated.anchor,
    schedule: stated.schedule ?? schedules[0],
    jurisdiction: stated.jurisdiction,
    tax: { rate: stated.tax.rate, on: stated.tax.on.filter((name) => isTaxable(name, market)) },
    archetype: product.archetype,
    basis: product.basis,
    amortisation: product.amortisation,
    originationFee: product.originationFee,
    lateFee: product.lateFee,
    rolloverFee: product.rolloverFee,
    chargeOrder: product.chargeOrder,
    treatment: product.treatment,
    toleranceDays: product.toleranceDays,
    tolerance: product.tolerance,
    penaltyBase: product.penaltyBase,
    ...(product.penaltyCeilingDays === undefined ? {} : { penaltyCeilingDays: product.penaltyCeilingDays }),
    ...(product.penaltyCeilingBps === undefined ? {} : { penaltyCeilingBps: product.penaltyCeilingBps }),
    capitalises: market.capitalises.value,
    acceleration: product.acceleration,
    maxRollovers: product.maxRollovers,
    withdrawalDays: product.withdrawalDays,
    penaltyCap: market.penaltyCap.value,
    lateFeeBesidePenalty: market.lateFeeBesidePenalty.value,
    frame: terms === undefined ? frame : { ...frame, terms },
    ...(stated.holdUntil === undefined ? {} : { holdUntil: stated.holdUntil }),
  };
}
