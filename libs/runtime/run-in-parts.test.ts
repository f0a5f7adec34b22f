import { expect, test } from '@jest/globals';
import { mapInParts, runInParts } from './run-in-parts.ts';

function* busyTask(parts: number): Generator<void, string> {
  for (let part = 0; part < parts; part += 1) {
    const until = performance.now() + 4;
    while (performance.now() < until);
    yield;
  }
  return 'done';
}

test('other work runs before a long task has ended', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('other work'));
  order.push(await runInParts(busyTask(10)));
  expect(order).toEqual(['other work', 'done']);
});

test('the results are in the order of the items', async () => {
  expect(await mapInParts(['a', 'b'], (item, index) => `${index}${item}`)).toEqual(['0a', '1b']);
});
