import { toText } from '#test/reference-model/days.ts';
import type { IssuanceFact } from '#test/reference-model/input.ts';
import type { Dice } from './dice.ts';
import { randomSchedule } from './products.ts';
import type { Story } from './story.ts';

const RATES = ['0', '12', '12', '36', '7.25', '60', '0.00000001', '33.33333333', '120', '499.9'];

function principal(dice: Dice): number {
  return dice.weighted([
    [5, dice.pick([90_000, 100_000, 80_000, 170_850])],
    [4, dice.whole(1_000, 5_000_000)],
    [1, dice.whole(1, 60)],
    [0.2, dice.whole(1_000_000_000, 9_000_000_000_000)],
  ]);
}

/** Records one issuance, mostly one the product offers. */
export function issueLoan(story: Story): boolean {
  const { dice } = story;
  const id = story.name('L');
  const configuration = dice.pick(Object.keys(story.input.configurations));
  const { archetype, values } = story.input.configurations[
    configuration
  ] as (typeof story.input.configurations)[string];
  const isPayday = archetype === 'payday';
  const fact: IssuanceFact = {
    type: 'issuance',
    id,
    reference: `ref-${id}`,
    client_id: 'c',
    configuration: dice.chance(0.01) ? 'none@1' : configuration,
    principal: principal(dice),
    term_periods: isPayday && !dice.chance(0.02) ? 1 : dice.pick([1, 2, 3, 3, 4, 6, 8, 12, 5]),
    rate: values.rate_max === undefined ? '0' : dice.pick(values.rate_max === '60' ? RATES.slice(0, 8) : RATES),
    anchor: toText(story.today + dice.pick([0, 0, 0, 1, 5, 10, 20, -3])),
    tax: {
      rate: dice.pick(['16', '16', '8', '0', '12.5']),
      on: dice.shuffled(['interest', 'fee', 'penalty', 'late_fee']).slice(0, dice.whole(0, 4)),
    },
  };
  if (values.terms !== undefined && !isPayday && !dice.chance(0.05))
    fact.term_periods = dice.pick(values.terms.slice(0, -1));
  if (values.penalty_rate_min !== values.penalty_rate_max ? dice.chance(0.985) : dice.chance(0.5))
    fact.penalty_rate = penaltyRate(dice, values.penalty_rate_min, values.penalty_rate_max);
  if (values.currency !== undefined && !dice.chance(0.03)) fact.currency = values.currency;
  const most = values.down_payment_max_bps;
  if (most !== undefined && dice.chance(0.6)) {
    fact.down_payment = Math.max(
      1,
      Math.floor((fact.principal * dice.whole(values.down_payment_min_bps ?? 0, most)) / 10_000),
    );
  }
  if (values.schedule !== undefined && dice.chance(0.2)) fact.schedule = values.schedule;
  else if (dice.chance(0.02)) fact.schedule = randomSchedule(dice);
  if (dice.chance(0.1)) fact.hold_until = toText(story.today + dice.whole(0, 35));
  return story.record(fact);
}

function penaltyRate(dice: Dice, least = '0', most = '0'): string {
  return least === most ? least : dice.pick(['0', '36', '36', '72', '54.5', '120']);
}
