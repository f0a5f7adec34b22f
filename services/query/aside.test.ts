import { expect, test } from '@jest/globals';
import { Timing } from '#libs/door/timing.ts';
import { StoreUnavailable } from '#libs/store/unavailable.ts';
import { Aside } from './aside.ts';

/** So many steps, each as long as a piece may be. */
function* long(steps: number, at: (step: number) => void = () => undefined): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + 5;
    while (performance.now() < until);
    at(step);
    yield;
  }
  return 'derived';
}

test('whoever asks for little is answered between two pieces', async () => {
  const seen: string[] = [];
  const derived = new Aside().derive(
    new Timing(),
    long(4, (step) => {
      seen.push(`step ${step}`);
      setImmediate(() => seen.push('another'));
    }),
  );
  expect(await derived).toBe('derived');
  expect(seen.slice(0, 6)).toEqual(['step 0', 'another', 'step 1', 'another', 'step 2', 'another']);
});

test('one is derived after the other, each with its own time', async () => {
  const aside = new Aside();
  const seen: string[] = [];
  const timings = [new Timing(), new Timing()];
  await Promise.all(
    timings.map((timing, nth) =>
      aside.derive(
        timing,
        long(2, () => seen.push(`${nth}`)),
      ),
    ),
  );
  expect(seen).toEqual(['0', '0', '1', '1']);
  for (const { derive } of timings) expect(derive).toBeGreaterThanOrEqual(10);
});

test('one that cannot be derived keeps nobody from the next', async () => {
  const aside = new Aside();
  // biome-ignore lint/correctness/useYield: what is tried is that it never comes to one
  const broken = (function* (): Generator<void, string> {
    throw new Error('no such figure');
  })();
  const first = aside.derive(new Timing(), broken);
  const second = aside.derive(new Timing(), long(1));
  await expect(first).rejects.toThrow('no such figure');
  expect(await second).toBe('derived');
});

test('nothing is derived for who waited too long', async () => {
  const aside = new Aside(8);
  let begun = false;
  const first = aside.derive(new Timing(), long(4));
  const second = aside.derive(
    new Timing(),
    long(1, () => {
      begun = true;
    }),
  );
  await expect(second).rejects.toThrow(StoreUnavailable);
  expect(await first).toBe('derived');
  expect(begun).toBe(false);
});
