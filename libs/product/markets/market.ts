import type { BankingCalendar } from '#libs/calendar/banking-calendar.ts';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { Minor } from '#libs/money/minor.ts';
import { RATE_SCALE, type Rate } from '#libs/money/rate.ts';
import { floorDiv } from '#libs/money/round.ts';

/** One thing the law of a market says, where it says so, and whether that reading is still to be confirmed. */
export type Rule<Value> = { readonly value: Value; readonly source: string; readonly provisional: boolean };

/** A rule that a market may not have at all: then it has no value, and the source says why. */
export type OptionalRule<Value> = { readonly value?: Value; readonly source: string; readonly provisional: boolean };

export type TaxableCharge = 'interest' | 'fee' | 'penalty' | 'late_fee';
export type AllowedPenaltyBase = 'overdue_principal' | 'overdue_instalment';

/** The bound on a penalty rate: none, so many times the contract's rate, or a rate of its own. */
export type MarketPenaltyCap =
  | { readonly form: 'none' }
  | { readonly form: 'multiple_of_rate' | 'rate'; readonly value: Rate };

export type MarketAcceleration = {
  readonly forbidden: boolean;
  readonly missedPeriods: number;
  readonly noticeDays: number;
};

export type MarketTax = {
  /** `until` is the last day on which a Loan may be anchored under the rate. */
  readonly rates: readonly { readonly rate: Rate; readonly until?: CivilDay }[];
  readonly on: readonly TaxableCharge[];
};

/** What a plan hands over and asks back, as the borrower's figure reads it. */
export type DisclosureInput = {
  readonly handedOver: Minor;
  readonly anchor: CivilDay;
  readonly schedule: Schedule;
  /** `k` is the period's index; `amount` its principal, interest and fee, untaxed. */
  readonly flows: readonly { readonly k: number; readonly scheduledOn: CivilDay; readonly amount: Minor }[];
};

export type DisclosedFigure = { readonly figure: string } | { readonly refused: 'figure_out_of_range' };

export type MarketDisclosure = {
  readonly convention: string;
  readonly version: number;
  readonly disclose: (input: DisclosureInput) => DisclosedFigure;
};

/** The law of one jurisdiction as data. Adding a market is adding one of these. */
export type Market = {
  readonly jurisdiction: string;
  /** The first is the one in which an empty balance is answered. */
  readonly currencies: Rule<readonly [string, ...string[]]>;
  readonly penaltyCap: Rule<MarketPenaltyCap>;
  /** The bases allowed; the first is the one a product has that states none. */
  readonly penaltyBase: Rule<readonly [AllowedPenaltyBase, ...AllowedPenaltyBase[]]>;
  readonly penaltyCeilingDays: OptionalRule<number>;
  readonly penaltyCeilingBps: OptionalRule<number>;
  readonly capitalises: Rule<boolean>;
  readonly lateFeeBesidePenalty: Rule<boolean>;
  readonly acceleration: Rule<MarketAcceleration>;
  readonly withdrawalDays: OptionalRule<number>;
  readonly tax: Rule<MarketTax>;
  readonly disclosure: Rule<MarketDisclosure>;
  readonly facilityWindow: OptionalRule<number>;
  readonly calendar: CalendarRule;
};

export type Markets = ReadonlyMap<string, Market>;

/** The version is raised with every change; what was planned by an earlier calendar stays planned by it. */
export type CalendarRule = Rule<BankingCalendar> & {
  readonly version: number;
  readonly earlier?: ReadonlyMap<number, BankingCalendar>;
};

/** The calendar's name for good, as a fact that plans days keeps it. */
export function calendarName({ jurisdiction, calendar }: Market): string {
  return `${jurisdiction}@${calendar.version}`;
}

export function calendarNamed(markets: Markets, name: string): BankingCalendar {
  const [jurisdiction = '', version] = name.split('@');
  const rule = markets.get(jurisdiction)?.calendar;
  const found = rule?.version === Number(version) ? rule.value : rule?.earlier?.get(Number(version));
  if (found === undefined) throw new Error(`no calendar ${name}, though days were planned by it`);
  return found;
}

/** The highest penalty rate the cap lets stand beside a contract's rate; undefined where there is no cap. */
export function highestPenaltyRate(cap: MarketPenaltyCap, rate: Rate): Rate | undefined {
  switch (cap.form) {
    case 'none':
      return undefined;
    case 'rate':
      return cap.value;
    case 'multiple_of_rate':
      // A penalty rate is whole in the units of a rate, so the floor refuses exactly what the exact product would.
      return floorDiv(rate * cap.value, RATE_SCALE / 100n) as Rate;
  }
}

/** Whether a Loan anchored on `on` may state this tax rate. */
export function taxRateStands(tax: MarketTax, rate: Rate, on: CivilDay): boolean {
  return tax.rates.some((allowed) => allowed.rate === rate && (allowed.until === undefined || on <= allowed.until));
}
