import { expect, test } from '@jest/globals';
import { AdmissionControl } from './admission-control.ts';

const limits = { maxPerLoopIteration: 2, maxActive: 100, maxHeld: 100, maxWaitMs: 60_000 };
const nextIteration = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Requests admission for each name and collects the results in the order in which they are known. */
function admitAll(control: AdmissionControl, ...names: string[]) {
  const results: string[] = [];
  const done = Promise.all(
    names.map(async (name) => {
      results.push(`${name} ${await control.admit()}`);
    }),
  );
  return { results, done };
}

test('starts a limited number of requests per loop iteration, the others later in their order', async () => {
  const { results, done } = admitAll(new AdmissionControl(limits), 'a', 'b', 'c', 'd', 'e');
  await Promise.resolve();
  expect(results).toEqual(['a true', 'b true']);
  await nextIteration();
  expect(results).toEqual(['a true', 'b true', 'c true', 'd true']);
  await done;
  expect(results.at(-1)).toBe('e true');
});

test('a new request does not overtake waiting ones', async () => {
  const control = new AdmissionControl(limits);
  const first = admitAll(control, 'a', 'b', 'c');
  await nextIteration();
  const later = admitAll(control, 'd', 'e');
  await Promise.all([first.done, later.done]);
  expect(first.results).toEqual(['a true', 'b true', 'c true']);
  expect(later.results).toEqual(['d true', 'e true']);
});

test('at the limit of active requests the next one waits until one is done', async () => {
  const control = new AdmissionControl({ ...limits, maxActive: 2 });
  const { results, done } = admitAll(control, 'a', 'b', 'c');
  control.markActive();
  control.markActive();
  for (let iterations = 0; iterations < 5; iterations += 1) await nextIteration();
  expect(results).toEqual(['a true', 'b true']);
  control.markDone();
  await done;
  expect(results).toEqual(['a true', 'b true', 'c true']);
});

test('rejects immediately above the limit of held requests, and later those that waited too long', async () => {
  const control = new AdmissionControl({ maxPerLoopIteration: 2, maxActive: 1, maxHeld: 3, maxWaitMs: 20 });
  const { results, done } = admitAll(control, 'a', 'b', 'c', 'd');
  control.markActive();
  await Promise.resolve();
  expect(results).toEqual(['a true', 'd false']);
  await done;
  expect(results).toEqual(['a true', 'd false', 'b false', 'c false']);
  control.markDone();
  await nextIteration();
  expect(control.admit()).toBe(true);
});

test('active requests count as held', async () => {
  const control = new AdmissionControl({ maxPerLoopIteration: 2, maxActive: 2, maxHeld: 3, maxWaitMs: 60_000 });
  const first = admitAll(control, 'a', 'b');
  await first.done;
  control.markActive();
  control.markActive();
  await nextIteration();
  const { results, done } = admitAll(control, 'c', 'd');
  await Promise.resolve();
  expect(results).toEqual(['d false']);
  control.markDone();
  await done;
  expect(results).toEqual(['d false', 'c true']);
});

test('holds a burst up to the limit, however few start per iteration', async () => {
  const names = Array.from({ length: 12 }, (_, nth) => `${nth}`);
  const { results, done } = admitAll(new AdmissionControl({ ...limits, maxHeld: 10 }), ...names);
  await done;
  expect(results.filter((one) => one.endsWith('true'))).toHaveLength(10);
  expect(results.slice(2, 4)).toEqual(['10 false', '11 false']);
});
