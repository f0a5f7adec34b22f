/** The law and custom of a jurisdiction as data, and how it is answered to callers. Adding a market is adding one value. */
import type { BankingCalendar } from '#libs/calendar/banking-calendar.ts';
import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { Minor } from '#libs/money/minor.ts';
import { floorDiv } from '#libs/money/minor.ts';
import { formatRate, RATE_SCALE, type Rate } from '#libs/money/rate.ts';

/** A rule of the law, its source, and whether that reading is still to be confirmed. */
export type MarketRule<Value> = { readonly value: Value; readonly source: string; readonly provisional: boolean };

/** A rule that a market may lack. It then has no value, and the source says why. */
export type OptionalMarketRule<Value> = {
  readonly value?: Value;
  readonly source: string;
  readonly provisional: boolean;
};

type TaxableCharge = 'interest' | 'fee' | 'penalty' | 'late_fee';
type AllowedPenaltyBase = 'overdue_principal' | 'overdue_instalment';

/** The limit on a penalty rate: none, a multiple of the contract rate, or a rate. */
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

/** The cash flows of a plan from which the borrower's yearly figure is computed. */
export type DisclosureInput = {
  readonly disbursed: Minor;
  readonly anchor: CivilDay;
  readonly schedule: Schedule;
  /** `k` is the period's index; `amount` its principal, interest and fee, untaxed. */
  readonly flows: readonly { readonly k: number; readonly scheduledOn: CivilDay; readonly amount: Minor }[];
};

export type DisclosedFigure = { readonly figure: string } | { readonly refused: 'figure_out_of_range' };

type MarketDisclosure = {
  readonly convention: string;
  readonly version: number;
  readonly disclose: (input: DisclosureInput) => DisclosedFigure;
};

export type Market = {
  readonly jurisdiction: string;
  /** A market without law. A live Tenancy cannot be opened in it. */
  readonly isForTests?: true;
  /** An empty balance is answered in the first one. */
  readonly currencies: MarketRule<readonly [string, ...string[]]>;
  readonly penaltyCap: MarketRule<MarketPenaltyCap>;
  /** The permitted bases. A product that states none has the first. */
  readonly penaltyBase: MarketRule<readonly [AllowedPenaltyBase, ...AllowedPenaltyBase[]]>;
  readonly penaltyCeilingDays: OptionalMarketRule<number>;
  readonly penaltyCeilingBps: OptionalMarketRule<number>;
  readonly capitalises: MarketRule<boolean>;
  readonly lateFeeBesidePenalty: MarketRule<boolean>;
  readonly acceleration: MarketRule<MarketAcceleration>;
  readonly withdrawalDays: OptionalMarketRule<number>;
  readonly tax: MarketRule<MarketTax>;
  readonly disclosure: MarketRule<MarketDisclosure>;
  readonly facilityWindow: OptionalMarketRule<number>;
  readonly calendar: CalendarRule;
};

export type Markets = ReadonlyMap<string, Market>;

/** Every change raises the version. Plans keep the calendar under which they were made. */
type CalendarRule = MarketRule<BankingCalendar> & {
  readonly version: number;
  readonly earlier?: ReadonlyMap<number, BankingCalendar>;
};

/** The permanent name of a calendar version, recorded in facts that plan days. */
export function calendarName({ jurisdiction, calendar }: Market): string {
  return `${jurisdiction}@${calendar.version}`;
}

export function calendarByName(markets: Markets, name: string): BankingCalendar {
  const [jurisdiction = '', version] = name.split('@');
  const rule = markets.get(jurisdiction)?.calendar;
  const found = rule?.version === Number(version) ? rule.value : rule?.earlier?.get(Number(version));
  if (found === undefined) {
    throw new Error(`unknown calendar ${name} in a recorded plan; keep earlier versions in the market's calendar`);
  }
  return found;
}

/** The highest penalty rate that the cap permits with a contract rate; undefined without a cap. */
export function maxPenaltyRate(cap: MarketPenaltyCap, rate: Rate): Rate | undefined {
  switch (cap.form) {
    case 'none':
      return undefined;
    case 'rate':
      return cap.value;
    case 'multiple_of_rate':
      // A penalty rate is a whole number of rate units, so rounding down refuses exactly what the exact product would.
      return floorDiv(rate * cap.value, RATE_SCALE / 100n) as Rate;
  }
}

/** Whether a Loan anchored on `on` may state this tax rate. */
export function isTaxRateAllowed(tax: MarketTax, rate: Rate, on: CivilDay): boolean {
  return tax.rates.some((allowed) => allowed.rate === rate && (allowed.until === undefined || on <= allowed.until));
}

/** The market as callers read it: each rule with its source. */
export function marketAnswer(market: Market) {
  const { calendar, disclosure } = market;
  return {
    jurisdiction: market.jurisdiction,
    currencies: market.currencies,
    penalty_cap: ruleAnswer(market.penaltyCap, capAnswer),
    penalty_base: market.penaltyBase,
    penalty_ceiling_days: market.penaltyCeilingDays,
    penalty_ceiling_bps: market.penaltyCeilingBps,
    capitalises: market.capitalises,
    late_fee_beside_penalty: market.lateFeeBesidePenalty,
    acceleration: ruleAnswer(market.acceleration, ({ forbidden, missedPeriods, noticeDays }) => ({
      forbidden,
      missed_periods: missedPeriods,
      notice_days: noticeDays,
    })),
    withdrawal_days: market.withdrawalDays,
    tax: ruleAnswer(market.tax, taxAnswer),
    disclosure: ruleAnswer(disclosure, ({ convention, version }) => ({ convention, version })),
    calendar: {
      covers_to: formatDay(calendar.value.coversTo),
      source: calendar.source,
      provisional: calendar.provisional,
    },
    facility_window: market.facilityWindow,
  };
}

function ruleAnswer<Value, Answer>(rule: MarketRule<Value>, answer: (value: Value) => Answer): MarketRule<Answer> {
  return { value: answer(rule.value), source: rule.source, provisional: rule.provisional };
}

function capAnswer(cap: MarketPenaltyCap) {
  return cap.form === 'none' ? { form: cap.form } : { form: cap.form, value: formatRate(cap.value) };
}

function taxAnswer({ rates, on }: MarketTax) {
  return {
    rates: rates.map(({ rate }) => formatRate(rate)),
    ends: rates.flatMap(({ rate, until }) =>
      until === undefined ? [] : [{ rate: formatRate(rate), on: formatDay(until) }],
    ),
    on,
  };
}
