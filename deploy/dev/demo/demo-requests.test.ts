import { expect, test } from '@jest/globals';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { makeDemoRequests } from './demo-requests.ts';
import type { Step, StepValue } from './step.ts';

const day = dayOf('2026-11-25');
const requests = makeDemoRequests({ seed: 1, day });
const steps = [...requests.setup, ...requests.clients.flat()];

test('the same seed and day give the same data, another seed or day gives other data', () => {
  expect(makeDemoRequests({ seed: 1, day })).toEqual(requests);
  expect(makeDemoRequests({ seed: 2, day })).not.toEqual(requests);
  expect(makeDemoRequests({ seed: 1, day: dayOf('2026-11-26') })).not.toEqual(requests);
});

test('200 Clients have distinct identifiers, and no reference is used twice or looks like one of the README', () => {
  const clientIds = steps.flatMap(({ at }) => (at['client_id'] === undefined ? [] : [at['client_id']]));
  expect(new Set(clientIds).size).toBe(200);
  for (const id of clientIds) expect(id).toMatch(/^[a-z]+-[a-z]+-\d{3}$/);
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  for (const { name } of steps) expect(name).toMatch(/^demo-/);
});

test('a request takes ids only from requests about the same Client, or about the products, that come before it', () => {
  const setup = requests.setup.map(({ name }) => name);
  for (const own of [requests.setup, ...requests.clients]) {
    const known = new Set(own === requests.setup ? [] : setup);
    for (const step of own) {
      for (const name of namesIn(step)) expect(known).toContain(name);
      known.add(step.name);
    }
  }
});

/** The steps whose answers a step is filled in from. */
function namesIn({ at, body }: Step): string[] {
  const walk = (value: StepValue): string[] => {
    if (typeof value !== 'object') return [];
    if ('answerOf' in value) return [value.answerOf as string];
    if ('eventOf' in value) return [value.eventOf as string];
    return Object.values(value).flatMap(walk);
  };
  return [at, body].flatMap(walk);
}
