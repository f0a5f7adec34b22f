import { expect, test } from '@jest/globals';
import { RequestTiming } from '#libs/http/timing.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { FairScheduler, type ScheduledRequest } from './fair-scheduler.ts';

/** Steps that each take longer than a slice. */
function* slowTask(steps: number, onStep: (step: number) => void = () => undefined): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    onStep(step);
    yield;
  }
  return 'derived';
}

const requestOf = (tenant = 'acme', disconnected = new AbortController().signal): ScheduledRequest => ({
  tenancy: { id: tenant },
  admittedAt: Date.now(),
  timing: new RequestTiming(),
  disconnectSignal: () => disconnected,
});

test('other work of the event loop runs between two slices', async () => {
  const events: string[] = [];
  const derived = new FairScheduler().run(
    requestOf(),
    slowTask(4, (step) => {
      events.push(`step ${step}`);
      setImmediate(() => events.push('other'));
    }),
  );
  expect(await derived).toBe('derived');
  expect(events.slice(0, 6)).toEqual(['step 0', 'other', 'step 1', 'other', 'step 2', 'other']);
});

test('Tenancies take turns by the slice, tasks of one Tenancy run in order, and each request has its own time', async () => {
  const scheduler = new FairScheduler();
  const order: string[] = [];
  const requests = ['acme', 'acme', 'other', 'acme'].map((tenant) => requestOf(tenant));
  await Promise.all(
    requests.map((request, index) =>
      scheduler.run(
        request,
        slowTask(2, () => order.push(`${index}`)),
      ),
    ),
  );
  expect(order.join('')).toBe('02021133');
  for (const { timing } of requests) expect(timing.derive).toBeGreaterThanOrEqual(10);
});

test('what one slice is enough for does not wait for longer work of its Tenancy', async () => {
  const scheduler = new FairScheduler();
  const ended: string[] = [];
  const long = scheduler.runSoon(requestOf(), slowTask(4)).then(() => ended.push('long'));
  await new Promise(setImmediate);
  const short = scheduler.runSoon(requestOf(), slowTask(0)).then(() => ended.push('short'));
  await Promise.all([long, short]);
  expect(ended).toEqual(['short', 'long']);
});

test('an endless task of one Tenancy delays the tasks of another by one slice per slice', async () => {
  const scheduler = new FairScheduler();
  const disconnect = new AbortController();
  let slices = 0;
  const endless = scheduler.run(
    requestOf('acme', disconnect.signal),
    slowTask(Number.POSITIVE_INFINITY, () => {
      slices += 1;
    }),
  );
  const short = scheduler.run(
    requestOf('other'),
    slowTask(3, () => undefined),
  );
  const next = short.then(() => scheduler.run(requestOf('other'), slowTask(2)));
  expect(await next).toBe('derived');
  disconnect.abort();
  await expect(endless).rejects.toThrow(DependencyUnavailableError);
  expect(slices).toBeLessThanOrEqual(7);
});

test('a task that throws does not affect the next one', async () => {
  const scheduler = new FairScheduler();
  // biome-ignore lint/correctness/useYield: it throws before its first yield
  const failing = (function* (): Generator<void, string> {
    throw new Error('no such figure');
  })();
  const first = scheduler.run(requestOf(), failing);
  const second = scheduler.run(requestOf(), slowTask(1));
  await expect(first).rejects.toThrow('no such figure');
  expect(await second).toBe('derived');
});

test('a request that waited too long is rejected without running', async () => {
  let now = Date.now();
  const scheduler = new FairScheduler(() => now);
  const ran: string[] = [];
  const first = scheduler.run(
    { ...requestOf(), admittedAt: now },
    slowTask(2, () => {
      ran.push('first');
      now += 1_200;
    }),
  );
  const second = scheduler.run(
    { ...requestOf(), admittedAt: now },
    slowTask(1, () => ran.push('second')),
  );
  await expect(second).rejects.toThrow(DependencyUnavailableError);
  expect(await first).toBe('derived');
  expect(ran).toEqual(['first', 'first']);
});

test('work that continues earlier work of its request may start later', async () => {
  const admittedAt = Date.now();
  const scheduler = new FairScheduler(() => admittedAt + 2_500);
  const request = { ...requestOf(), admittedAt };
  await expect(scheduler.run(request, slowTask(1))).rejects.toThrow(DependencyUnavailableError);
  expect(await scheduler.run(request, slowTask(1), { isContinued: true })).toBe('derived');
});

test('a task stops when its request has timed out or its caller has disconnected', async () => {
  let now = Date.now();
  const scheduler = new FairScheduler(() => now);
  const disconnect = new AbortController();
  let steps = 0;
  const timedOut = scheduler.run(
    { ...requestOf(), admittedAt: now },
    slowTask(9, () => {
      steps += 1;
      now += 2_000;
    }),
  );
  await expect(timedOut).rejects.toThrow(DependencyUnavailableError);
  const disconnected = scheduler.run(
    { ...requestOf('acme', disconnect.signal), admittedAt: now },
    slowTask(9, () => {
      steps += 1;
      disconnect.abort();
    }),
  );
  await expect(disconnected).rejects.toThrow(DependencyUnavailableError);
  expect(steps).toBe(3);
});
