import { expect, test } from '@jest/globals';
import { Timing } from '#libs/http/timing.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { Aside, type Asker } from './fair-scheduler.ts';

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

const asker = (tenant = 'acme', gone = new AbortController().signal): Asker => ({
  tenancy: { id: tenant },
  admittedAt: Date.now(),
  timing: new Timing(),
  gone: () => gone,
});

test('whoever asks for little is answered between two pieces', async () => {
  const seen: string[] = [];
  const derived = new Aside().derive(
    asker(),
    long(4, (step) => {
      seen.push(`step ${step}`);
      setImmediate(() => seen.push('another'));
    }),
  );
  expect(await derived).toBe('derived');
  expect(seen.slice(0, 6)).toEqual(['step 0', 'another', 'step 1', 'another', 'step 2', 'another']);
});

test('one of a Tenancy is derived after the other, each with its own time, and Tenancies take turns by the piece', async () => {
  const aside = new Aside();
  const seen: string[] = [];
  const askers = ['acme', 'acme', 'other', 'acme'].map((tenant) => asker(tenant));
  await Promise.all(
    askers.map((asked, nth) =>
      aside.derive(
        asked,
        long(2, () => seen.push(`${nth}`)),
      ),
    ),
  );
  expect(seen.join('')).toBe('02021133');
  for (const { timing } of askers) expect(timing.derive).toBeGreaterThanOrEqual(10);
});

test('however much one Tenancy asks for, another is answered within its own pieces', async () => {
  const aside = new Aside();
  const leaving = new AbortController();
  let pieces = 0;
  const endless = aside.derive(
    asker('acme', leaving.signal),
    long(Number.POSITIVE_INFINITY, () => {
      pieces += 1;
    }),
  );
  const small = aside.derive(
    asker('other'),
    long(3, () => undefined),
  );
  const later = small.then(() => aside.derive(asker('other'), long(2)));
  expect(await later).toBe('derived');
  leaving.abort();
  await expect(endless).rejects.toThrow(DependencyUnavailableError);
  expect(pieces).toBeLessThanOrEqual(7);
});

test('one that cannot be derived keeps nobody from the next', async () => {
  const aside = new Aside();
  // biome-ignore lint/correctness/useYield: what is tried is that it never comes to one
  const broken = (function* (): Generator<void, string> {
    throw new Error('no such figure');
  })();
  const first = aside.derive(asker(), broken);
  const second = aside.derive(asker(), long(1));
  await expect(first).rejects.toThrow('no such figure');
  expect(await second).toBe('derived');
});

test('nothing is derived for who waited too long', async () => {
  let now = Date.now();
  const aside = new Aside(() => now);
  const seen: string[] = [];
  const first = aside.derive(
    { ...asker(), admittedAt: now },
    long(2, () => {
      seen.push('first');
      now += 1_200;
    }),
  );
  const second = aside.derive(
    { ...asker(), admittedAt: now },
    long(1, () => seen.push('second')),
  );
  await expect(second).rejects.toThrow(DependencyUnavailableError);
  expect(await first).toBe('derived');
  expect(seen).toEqual(['first', 'first']);
});

test('nor on for who was answered meanwhile, or left', async () => {
  let now = Date.now();
  const aside = new Aside(() => now);
  const leaving = new AbortController();
  let steps = 0;
  const answered = aside.derive(
    { ...asker(), admittedAt: now },
    long(9, () => {
      steps += 1;
      now += 2_000;
    }),
  );
  await expect(answered).rejects.toThrow(DependencyUnavailableError);
  const left = aside.derive(
    { ...asker('acme', leaving.signal), admittedAt: now },
    long(9, () => {
      steps += 1;
      leaving.abort();
    }),
  );
  await expect(left).rejects.toThrow(DependencyUnavailableError);
  expect(steps).toBe(3);
});
