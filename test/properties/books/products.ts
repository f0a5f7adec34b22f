import { type Acceleration, type Day, type Market, toDay, toText } from '#test/reference-model/days.ts';
import { CHARGES, type Configuration, type Schedule, type Values } from '#test/reference-model/input.ts';
import type { Dice } from './dice.ts';

const BASES = ['actual_360', 'actual_365', 'thirty_360', 'actual_actual'] as const;
const AMORTISATIONS = ['level_payment', 'level_principal_and_interest', 'equal_principal'] as const;
const TREATMENTS = ['reduces_principal', 'shortens_term', 'settles_next'] as const;

/** Where a book's story begins: ends of months, leap years and turns of the year are where day counts go wrong. */
const BEGINNINGS = ['2026-01-01', '2026-01-01', '2024-01-31', '2023-11-29', '2027-12-31', '2025-08-15'];

export function beginning(dice: Dice): Day {
  return toDay(dice.pick(BEGINNINGS));
}

function acceleration(dice: Dice): Acceleration {
  return { forbidden: dice.chance(0.1), missed_periods: dice.whole(0, 2), notice_days: dice.pick([0, 0, 5, 10]) };
}

export function randomMarket(dice: Dice, from: Day): Market {
  const market: Market = {
    weekend: dice.chance(0.45) ? [6, 7] : [],
    covers_to: toText(from + (dice.chance(0.06) ? 200 : 2500)),
  };
  if (dice.chance(0.3)) {
    market.holidays = [
      ...new Set(Array.from({ length: dice.whole(1, 8) }, () => toText(from + dice.whole(1, 150)))),
    ].sort();
  }
  if (dice.chance(0.25)) market.capitalises = true;
  if (dice.chance(0.3)) market.acceleration = acceleration(dice);
  return market;
}

export function randomSchedule(dice: Dice): Schedule {
  if (dice.chance(0.55)) {
    const interval_days = dice.weighted([
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
  if (dice.chance(0.4)) schedule.day_of_month = dice.pick([1, 15, 28, 29, 30, 31]);
  if (schedule.day_of_month !== undefined && dice.chance(0.5))
    schedule.first_after_days = dice.pick([0, 1, 5, 11, 20, 40]);
  return schedule;
}

export function randomConfiguration(dice: Dice, currency: string): Configuration {
  const archetype = dice.weighted([
    [11, 'instalment'],
    [4, 'bnpl'],
    [5, 'payday'],
  ] as const);
  const values: Values = {
    rate_min: '0',
    rate_max: dice.pick(['500', '500', '500', '60']),
    penalty_rate_min: '0',
    penalty_rate_max: '500',
  };
  if (currency !== 'MXN') values.currency = currency;
  if (archetype === 'bnpl' && dice.chance(0.3)) {
    delete values.rate_min;
    delete values.rate_max;
  }
  if (dice.chance(0.15)) values.penalty_rate_min = values.penalty_rate_max = dice.pick(['0', '36', '54.5']);
  planValues(dice, archetype, values);
  latenessValues(dice, values);
  lifeValues(dice, archetype, values);
  return { archetype, values };
}

function planValues(dice: Dice, archetype: Configuration['archetype'], values: Values): void {
  if (dice.chance(0.6)) values.day_count_basis = dice.pick(BASES);
  if (archetype !== 'payday' && dice.chance(0.7)) values.amortisation = dice.pick(AMORTISATIONS);
  if (dice.chance(0.75)) values.schedule = randomSchedule(dice);
  if (archetype !== 'payday' && dice.chance(0.5)) values.terms = [1, 2, 3, 4, 6, 8, 12];
  if (dice.chance(0.5)) values.origination_fee = dice.pick([1, 100, 500, 1333, 25000]);
  if (archetype === 'bnpl' && dice.chance(0.6)) values.down_payment_max_bps = dice.pick([2500, 5000, 9000]);
  if (values.down_payment_max_bps !== undefined && dice.chance(0.3)) values.down_payment_min_bps = 1000;
  if (dice.chance(0.1)) values.principal_min = 1000;
}

function latenessValues(dice: Dice, values: Values): void {
  if (dice.chance(0.45)) values.tolerance_days = dice.pick([1, 2, 3, 5, 10]);
  if (dice.chance(0.25)) values.tolerance = dice.pick([1, 50, 500]);
  if (dice.chance(0.5)) values.late_fee = dice.pick([1, 100, 350, 9999]);
  if (dice.chance(0.35)) values.penalty_base = 'overdue_instalment';
  if (dice.chance(0.2)) values.penalty_ceiling_days = dice.pick([1, 3, 10, 30]);
  if (dice.chance(0.2)) values.penalty_ceiling_bps = dice.pick([1, 33, 110, 500]);
  if (dice.chance(0.3)) values.acceleration = acceleration(dice);
}

function lifeValues(dice: Dice, archetype: Configuration['archetype'], values: Values): void {
  if (dice.chance(0.7)) values.early_money_treatment = dice.pick(TREATMENTS);
  if (dice.chance(0.25)) values.charge_order = dice.shuffled(CHARGES);
  if (dice.chance(0.3)) values.withdrawal_days = dice.pick([7, 14, 30]);
  if (dice.chance(0.15)) values.hold_days = dice.pick([0, 5, 60]);
  if (dice.chance(0.2)) values.capitalises = dice.chance(0.5);
  if (archetype !== 'payday') return;
  if (dice.chance(0.8)) values.max_rollovers = dice.whole(1, 3);
  if (dice.chance(0.6)) values.rollover_fee = dice.pick([100, 200, 777]);
}
