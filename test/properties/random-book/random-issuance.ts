/** Random issuances for a book under construction. */

import type { Random } from '#libs/runtime/random.ts';
import { toText } from '#test/reference-model/days.ts';
import type { IssuanceFact } from '#test/reference-model/input.ts';
import type { BookBuilder } from './book-builder.ts';
import { randomSchedule } from './random-products.ts';

const RATES = ['0', '12', '12', '36', '7.25', '60', '0.00000001', '33.33333333', '120', '499.9'];

function principal(random: Random): number {
  return random.weighted([
    [5, random.pick([90_000, 100_000, 80_000, 170_850])],
    [4, random.integer(1_000, 5_000_000)],
    [1, random.integer(1, 60)],
    [0.2, random.integer(1_000_000_000, 9_000_000_000_000)],
  ]);
}

/** Records a random issuance, usually one that the product offers. */
export function recordRandomIssuance(builder: BookBuilder): boolean {
  const { random } = builder;
  const id = builder.newName('L');
  const configuration = random.pick(Object.keys(builder.input.configurations));
  const { archetype, values } = builder.input.configurations[
    configuration
  ] as (typeof builder.input.configurations)[string];
  const isPayday = archetype === 'payday';
  const fact: IssuanceFact = {
    type: 'issuance',
    id,
    reference: `ref-${id}`,
    client_id: 'c',
    configuration: random.chance(0.01) ? 'none@1' : configuration,
    principal: principal(random),
    term_periods: isPayday && !random.chance(0.02) ? 1 : random.pick([1, 2, 3, 3, 4, 6, 8, 12, 5]),
    rate: values.rate_max === undefined ? '0' : random.pick(values.rate_max === '60' ? RATES.slice(0, 8) : RATES),
    anchor: toText(builder.today + random.pick([0, 0, 0, 1, 5, 10, 20, -3])),
    tax: {
      rate: random.pick(['16', '16', '8', '0', '12.5']),
      on: random.shuffled(['interest', 'fee', 'penalty', 'late_fee']).slice(0, random.integer(0, 4)),
    },
  };
  if (values.terms !== undefined && !isPayday && !random.chance(0.05))
    fact.term_periods = random.pick(values.terms.slice(0, -1));
  if (values.penalty_rate_min !== values.penalty_rate_max ? random.chance(0.985) : random.chance(0.5))
    fact.penalty_rate = penaltyRate(random, values.penalty_rate_min, values.penalty_rate_max);
  if (values.currency !== undefined && !random.chance(0.03)) fact.currency = values.currency;
  const max = values.down_payment_max_bps;
  if (max !== undefined && random.chance(0.6)) {
    fact.down_payment = Math.max(
      1,
      Math.floor((fact.principal * random.integer(values.down_payment_min_bps ?? 0, max)) / 10_000),
    );
  }
  if (values.schedule !== undefined && random.chance(0.2)) fact.schedule = values.schedule;
  else if (random.chance(0.02)) fact.schedule = randomSchedule(random);
  if (random.chance(0.1)) fact.hold_until = toText(builder.today + random.integer(0, 35));
  return builder.record(fact);
}

function penaltyRate(random: Random, min = '0', max = '0'): string {
  return min === max ? min : random.pick(['0', '36', '36', '72', '54.5', '120']);
}
