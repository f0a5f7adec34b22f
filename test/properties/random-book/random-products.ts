/** Random markets and product configurations. */

import type { Random } from '#libs/runtime/random.ts';
import { type Acceleration, type Day, type Market, toDay, toText } from '#test/reference-model/days.ts';
import { CHARGES, type Configuration, type Schedule, type Values } from '#test/reference-model/input.ts';

const BASES = ['actual_360', 'actual_365', 'thirty_360', 'actual_actual'] as const;
const AMORTISATIONS = ['level_payment', 'level_principal_and_interest', 'equal_principal'] as const;
const TREATMENTS = ['reduces_principal', 'shortens_term', 'settles_next'] as const;

/** First days of a book, including ends of months, leap years and turns of the year, where day counts are difficult. */
const START_DAYS = ['2026-01-01', '2026-01-01', '2024-01-31', '2023-11-29', '2027-12-31', '2025-08-15'];

export function randomStart(random: Random): Day {
  return toDay(random.pick(START_DAYS));
}

function acceleration(random: Random): Acceleration {
  return {
    forbidden: random.chance(0.1),
    missed_periods: random.integer(0, 2),
    notice_days: random.pick([0, 0, 5, 10]),
  };
}

export function randomMarket(random: Random, from: Day): Market {
  const market: Market = {
    weekend: random.chance(0.45) ? [6, 7] : [],
    covers_to: toText(from + (random.chance(0.06) ? 200 : 2500)),
  };
  if (random.chance(0.3)) {
    market.holidays = [
      ...new Set(Array.from({ length: random.integer(1, 8) }, () => toText(from + random.integer(1, 150)))),
    ].sort();
  }
  if (random.chance(0.25)) market.capitalises = true;
  if (random.chance(0.3)) market.acceleration = acceleration(random);
  return market;
}

export function randomSchedule(random: Random): Schedule {
  if (random.chance(0.55)) {
    const interval_days = random.weighted([
      [4, 30],
      [2, 14],
      [2, 7],
      [1, 15],
      [1, 28],
      [1, 1],
      [1, 3],
    ]);
    return { kind: 'anchored_every_n_days', interval_days };
  }
  const schedule: Schedule = { kind: 'anchored_monthly' };
  if (random.chance(0.4)) schedule.day_of_month = random.pick([1, 15, 28, 29, 30, 31]);
  if (schedule.day_of_month !== undefined && random.chance(0.5))
    schedule.first_after_days = random.pick([0, 1, 5, 11, 20, 40]);
  return schedule;
}

export function randomConfiguration(random: Random, currency: string): Configuration {
  const archetype = random.weighted([
    [11, 'instalment'],
    [4, 'bnpl'],
    [5, 'payday'],
  ] as const);
  const values: Values = {
    rate_min: '0',
    rate_max: random.pick(['500', '500', '500', '60']),
    penalty_rate_min: '0',
    penalty_rate_max: '500',
  };
  if (currency !== 'MXN') values.currency = currency;
  if (archetype === 'bnpl' && random.chance(0.3)) {
    delete values.rate_min;
    delete values.rate_max;
  }
  if (random.chance(0.15)) values.penalty_rate_min = values.penalty_rate_max = random.pick(['0', '36', '54.5']);
  planValues(random, archetype, values);
  latenessValues(random, values);
  servicingValues(random, archetype, values);
  return { archetype, values };
}

function planValues(random: Random, archetype: Configuration['archetype'], values: Values): void {
  if (random.chance(0.6)) values.day_count_basis = random.pick(BASES);
  if (archetype !== 'payday' && random.chance(0.7)) values.amortisation = random.pick(AMORTISATIONS);
  if (random.chance(0.75)) values.schedule = randomSchedule(random);
  if (archetype !== 'payday' && random.chance(0.5)) values.terms = [1, 2, 3, 4, 6, 8, 12];
  if (random.chance(0.5)) values.origination_fee = random.pick([1, 100, 500, 1333, 25000]);
  if (archetype === 'bnpl' && random.chance(0.6)) values.down_payment_max_bps = random.pick([2500, 5000, 9000]);
  if (values.down_payment_max_bps !== undefined && random.chance(0.3)) values.down_payment_min_bps = 1000;
  if (random.chance(0.1)) values.principal_min = 1000;
}

function latenessValues(random: Random, values: Values): void {
  if (random.chance(0.45)) values.tolerance_days = random.pick([1, 2, 3, 5, 10]);
  if (random.chance(0.25)) values.tolerance = random.pick([1, 50, 500]);
  if (random.chance(0.5)) values.late_fee = random.pick([1, 100, 350, 9999]);
  if (random.chance(0.35)) values.penalty_base = 'overdue_instalment';
  if (random.chance(0.2)) values.penalty_ceiling_days = random.pick([1, 3, 10, 30]);
  if (random.chance(0.2)) values.penalty_ceiling_bps = random.pick([1, 33, 110, 500]);
  if (random.chance(0.3)) values.acceleration = acceleration(random);
}

function servicingValues(random: Random, archetype: Configuration['archetype'], values: Values): void {
  if (random.chance(0.7)) values.early_money_treatment = random.pick(TREATMENTS);
  if (random.chance(0.25)) values.charge_order = random.shuffled(CHARGES);
  if (random.chance(0.3)) values.withdrawal_days = random.pick([7, 14, 30]);
  if (random.chance(0.15)) values.hold_days = random.pick([0, 5, 60]);
  if (random.chance(0.2)) values.capitalises = random.chance(0.5);
  if (archetype !== 'payday') return;
  if (random.chance(0.8)) values.max_rollovers = random.integer(1, 3);
  if (random.chance(0.6)) values.rollover_fee = random.pick([100, 200, 777]);
}
