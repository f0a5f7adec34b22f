/** A Loan during the fold, and what its lines charge and owe. */
import type { Day } from './days.ts';
import { type ActFact, CHARGES, type Charge, type IssuanceFact, type Schedule } from './input.ts';
import { applyRate, max, min, round } from './numbers.ts';
import { exactInterest } from './plan.ts';
import type { ProductTerms } from './product-terms.ts';

/** An amount and its tax. */
export interface TaxedAmount {
  amount: bigint;
  tax: bigint;
}

export type PerCharge<T> = Record<Charge, T>;

export type Origin = 'issued' | 'recalculated' | 'restructured' | 'rolled_over' | 'called';

export interface Segment {
  from: Day;
  balance: bigint;
}

export interface Period {
  index: number;
  origin: Origin;
  /** The scheduled day before it, from which its interest runs. */
  from: Day;
  scheduledOn: Day;
  dueOn: Day;
  actionableFrom: Day;
  alive: boolean;
  principal: bigint;
  /** The rate of its plan: a restructure does not change periods settled before it. */
  rate: bigint;
  /** The balances on which its interest is computed, each from the day it changed. */
  segments: Segment[];
  /** Interest as last computed for the whole period. The charge is at least what was settled and waived. */
  interest: bigint;
  fee: bigint;
  lateFee: bigint;
  /** Amounts that an act moved into it, by charge, with their tax at that time. */
  moved: PerCharge<TaxedAmount>;
  settled: PerCharge<TaxedAmount>;
  waived: PerCharge<bigint>;
  settledOn: Day | undefined;
  /** Days past due so far: calendar days while it was not settled. */
  daysPastDue: number;
  lateSince: Day | undefined;
  /** Penalty counted but not yet owed (before the period is late), and owed; both in penalty units. */
  pendingPenalty: bigint;
  penalty: bigint;
}

export interface Suspension {
  act: ActFact;
  from: Day;
  to: Day;
  endedOn: Day | undefined;
}

export interface Settlement {
  act: ActFact;
  on: Day;
  until: Day;
  agreed: bigint;
  taken: bigint;
  excess: bigint;
}

export interface ReturnEntry {
  act: ActFact;
  amount: bigint;
  unwoundPrincipal: bigint;
  principalOwedBack: bigint;
  interestOwedBack: bigint;
  stillOwed: PerCharge<TaxedAmount>;
  beyondTheLoan: bigint;
  returnedWhole: boolean;
}

export interface BoundedAct {
  act: ActFact;
  kind: string;
}

/** One Loan while the fold runs. */
export interface Loan {
  fact: IssuanceFact;
  order: number;
  product: ProductTerms;
  currency: string;
  anchor: Day;
  taxRates: PerCharge<bigint>;
  schedule: Schedule;
  rate: bigint;
  penaltyRate: bigint;
  disbursed: bigint;
  periods: Period[];
  level: bigint;
  /** Under equal_principal, the principal of each period by the latest division. */
  equalShare: bigint;
  held: boolean;
  confirmedOn: Day | undefined;
  /** Voided or cancelled: applies to every day. */
  endedAs: 'voided' | 'cancelled' | undefined;
  suspensions: Suspension[];
  undone: { on: Day; act: ActFact; kind: 'rescinded' | 'withdrawn' } | undefined;
  discharged: { on: Day; byReceipt: boolean } | undefined;
  writeOff: { on: Day; act: ActFact; cost: PerCharge<TaxedAmount>; recovered: bigint } | undefined;
  ceded: { on: Day; act: ActFact } | undefined;
  fixed: boolean;
  restructured: boolean;
  settlement: Settlement | undefined;
  settlements: Settlement[];
  latePeriodsAtDayStart: number;
  penaltySoFar: bigint;
  paid: bigint;
  principalReceived: bigint;
  returns: ReturnEntry[];
  rollovers: { act: ActFact; owedBack: bigint }[];
  waivers: { act: ActFact; amount: bigint }[];
  bounded: BoundedAct[];
}

export function perCharge<T>(make: () => T): PerCharge<T> {
  return { principal: make(), interest: make(), fee: make(), penalty: make(), late_fee: make() };
}

export const zeroAmount = (): TaxedAmount => ({ amount: 0n, tax: 0n });

/** Penalty is counted exactly as base x rate x days, in units of 1 / penaltyUnit of a minor unit. */
export function penaltyUnit(loan: Loan): bigint {
  return 10n ** 10n * loan.product.penaltyYear;
}

export function newPeriod(
  given: Pick<Period, 'index' | 'origin' | 'from' | 'scheduledOn' | 'dueOn' | 'actionableFrom' | 'rate'>,
): Period {
  return {
    ...given,
    alive: true,
    principal: 0n,
    segments: [],
    interest: 0n,
    fee: 0n,
    lateFee: 0n,
    moved: perCharge(zeroAmount),
    settled: perCharge(zeroAmount),
    waived: perCharge(() => 0n),
    settledOn: undefined,
    daysPastDue: 0,
    lateSince: undefined,
    pendingPenalty: 0n,
    penalty: 0n,
  };
}

/** The interest accrued by `on`; all of it at the scheduled day. */
export function accrued(loan: Loan, period: Period, on: Day): bigint {
  if (on >= period.scheduledOn) return period.interest;
  if (on <= period.from) return 0n;
  const exact = exactOverSegments(loan, period, on);
  return round(exact.n, exact.d);
}

export function exactOverSegments(loan: Loan, period: Period, to: Day): { n: bigint; d: bigint } {
  const { segments } = period;
  let n = 0n;
  let d = 1n;
  for (let i = 0; i < segments.length; i += 1) {
    const segment = segments[i] as Segment;
    const end = Math.min(to, segments[i + 1]?.from ?? to);
    if (end <= segment.from) continue;
    const exact = exactInterest(loan.product, period.rate, segment.balance, segment.from, end);
    n += exact.n;
    d = exact.d;
  }
  return { n, d };
}

/** What a line charges before waivers, and what of it is waived and owed. `on` limits interest to what has accrued by then. */
export interface Line {
  charged: TaxedAmount;
  waived: TaxedAmount;
  owed: TaxedAmount;
}

export function lineOf(loan: Loan, period: Period, charge: Charge, on?: Day): Line {
  const own = ownCharge(loan, period, charge, on);
  const rate = loan.taxRates[charge];
  const moved = period.moved[charge];
  const settled = period.settled[charge];
  const waived = period.waived[charge];
  const recomputed = moved.amount + own;
  const amount = max(recomputed, settled.amount + waived);
  const gross = max(moved.tax + applyRate(own, rate), settled.tax);
  const net = waived === 0n ? gross : max(min(applyRate(max(recomputed - waived, 0n), rate), gross), settled.tax);
  return {
    charged: { amount, tax: gross },
    waived: { amount: waived, tax: gross - net },
    owed: { amount: amount - waived - settled.amount, tax: net - settled.tax },
  };
}

function ownCharge(loan: Loan, period: Period, charge: Charge, on?: Day): bigint {
  switch (charge) {
    case 'principal':
      return period.principal;
    case 'interest':
      return on === undefined ? period.interest : accrued(loan, period, on);
    case 'fee':
      return period.fee;
    case 'penalty':
      return period.penalty === 0n ? 0n : round(period.penalty, penaltyUnit(loan));
    case 'late_fee':
      return period.lateFee;
  }
}

export function owedOf(loan: Loan, period: Period, on?: Day): PerCharge<TaxedAmount> {
  const owed = perCharge(zeroAmount);
  if (!period.alive) return owed;
  for (const charge of CHARGES) owed[charge] = lineOf(loan, period, charge, on).owed;
  return owed;
}

export function total(lines: PerCharge<TaxedAmount>): bigint {
  let all = 0n;
  for (const charge of CHARGES) all += lines[charge].amount + lines[charge].tax;
  return all;
}

/** Everything a period still owes, including its interest up to the scheduled day. */
export function unpaid(loan: Loan, period: Period): bigint {
  return period.alive ? total(owedOf(loan, period)) : 0n;
}

export function chargesAnything(loan: Loan, period: Period): boolean {
  return CHARGES.some((charge) => {
    const { charged } = lineOf(loan, period, charge);
    return charged.amount + charged.tax > 0n;
  });
}

export function unpaidPrincipal(period: Period): bigint {
  return period.alive ? period.principal - period.settled.principal.amount : 0n;
}

export function addInto(into: PerCharge<TaxedAmount>, lines: PerCharge<TaxedAmount>): void {
  for (const charge of CHARGES) {
    into[charge] = { amount: into[charge].amount + lines[charge].amount, tax: into[charge].tax + lines[charge].tax };
  }
}

/** Section 4 of fold.md: all unpaid principal, interest of ended periods, what the running one accrued, fees, penalties and late fees. */
export function payoffByPeriod(loan: Loan, on: Day): { period: Period; owed: PerCharge<TaxedAmount> }[] {
  return loan.periods.filter((period) => period.alive).map((period) => ({ period, owed: owedOf(loan, period, on) }));
}

export function payoffOf(loan: Loan, on: Day): PerCharge<TaxedAmount> {
  const sum = perCharge(zeroAmount);
  for (const { owed } of payoffByPeriod(loan, on)) addInto(sum, owed);
  return sum;
}

/** Whether the Loan has figures at the end of `on`, discharged or not. */
export function isInForce(loan: Loan, on: Day): boolean {
  if (loan.endedAs !== undefined || loan.undone !== undefined || on < loan.anchor) return false;
  return !loan.held || (loan.confirmedOn !== undefined && loan.confirmedOn <= on);
}

/** Whether a Receipt of `on` can pay the Loan. A cession takes effect at the end of its day. */
export function canReceivePayment(loan: Loan, on: Day): boolean {
  return isInForce(loan, on) && loan.discharged === undefined && (loan.ceded === undefined || loan.ceded.on >= on);
}

export function suspensionOn(loan: Loan, on: Day): Suspension | undefined {
  return loan.suspensions.find(
    ({ from, to, endedOn }) => from <= on && on <= (endedOn === undefined ? to : endedOn - 1),
  );
}

/** Section 4 of fold.md: for lateness and penalty a remainder within the band counts as settled. */
export function isSettledForLateness(loan: Loan, period: Period): boolean {
  return unpaid(loan, period) <= loan.product.tolerance;
}

export function isLate(loan: Loan, period: Period, on: Day): boolean {
  return (
    period.alive &&
    period.lateSince !== undefined &&
    suspensionOn(loan, on) === undefined &&
    !isSettledForLateness(loan, period)
  );
}

/** The first period that is not yet due and still owes something. */
export function nextInstalment(loan: Loan, on: Day): Period | undefined {
  return loan.periods.find((period) => period.alive && period.dueOn > on && unpaid(loan, period) > 0n);
}

export function highestIndex(loan: Loan): number {
  return loan.periods.reduce((highest, period) => Math.max(highest, period.index), 0);
}
