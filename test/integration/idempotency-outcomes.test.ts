/** Outcomes stored under an `Idempotency-Key`: overlapping attempts, attempts without an outcome, and outcomes that cannot be stored. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  beginAttempt,
  deleteExpiredOutcomes,
  type IdempotencyAttempt,
  type IdempotencyRecord,
  recordOutcome,
  releaseAttempt,
} from '#libs/database/idempotency.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import type { IdempotentRequest, RouteResult } from '#libs/http/handler.ts';
import { idempotencyGuard } from '#libs/http/idempotency.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('idempotency');
});
afterAll(() => scratch.drop());

let key: string;
beforeEach(() => {
  key = randomUUID();
});

const timing = { measure: <T>(_: string, work: () => Promise<T>): Promise<T> => work() };

interface Answer {
  readonly outcome: RouteResult;
  /** Whether it repeats the outcome of an earlier request. */
  readonly replayed: boolean;
}

async function send(
  execute: IdempotentRequest['execute'],
  { under = key, body = {}, database = scratch.database, onNotStored = () => {} } = {},
): Promise<Answer> {
  let replayed = false;
  const target = '/v1/tenants/acme/product-configurations';
  const request = {
    tenancy: { id: 'acme' },
    idempotencyKey: under,
    evidence: { method: 'POST', target },
    body,
    timing,
  };
  const outcome = await idempotencyGuard({ databases: PartitionDatabases.of(database), onNotStored })({
    request: request as unknown as IdempotentRequest['request'],
    execute,
    setHeader: (name, value) => {
      replayed = name === 'Idempotent-Replayed' && value === 'true';
    },
  });
  return { outcome, replayed };
}

function created(text: string): RouteResult {
  return { status: 201, text };
}

const mustNotRun: IdempotentRequest['execute'] = () => {
  throw new Error('the request was executed a second time');
};

/** A request that runs until `settle` or `fail` is called. */
function startAttempt(body = {}) {
  const started = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<RouteResult>();
  const answer = send(
    () => {
      started.resolve();
      return outcome.promise;
    },
    { body },
  );
  return { started: started.promise, answer, settle: outcome.resolve, fail: outcome.reject };
}

const mismatch = expect.objectContaining({ code: 'idempotency_mismatch' });

describe('overlapping attempts', () => {
  test('of one request all run, and all are answered with the outcome that was stored first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), async (order) => {
        key = randomUUID();
        const attempts = order.map(() => startAttempt());
        await Promise.all(attempts.map(({ started }) => started));
        const answers: Answer[] = [];
        for (const index of order) {
          const attempt = attempts[index];
          attempt?.settle(created(`${index}`));
          if (attempt !== undefined) answers.push(await attempt.answer);
        }
        const first = created(`${order[0]}`);
        expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map(() => first));
        expect(answers.map(({ replayed }) => replayed)).toEqual([false, true, true, true]);
        expect(await send(mustNotRun)).toEqual({ outcome: first, replayed: true });
      }),
      { numRuns: 12 },
    );
  });

  test('of another request under the same key are refused, during and after the first', async () => {
    const first = startAttempt();
    await first.started;
    expect(await send(mustNotRun, { body: { other: true } })).toEqual({ outcome: mismatch, replayed: false });
    first.settle(created('done'));
    await first.answer;
    expect(await send(mustNotRun, { body: { other: true } })).toEqual({ outcome: mismatch, replayed: false });
  });
});

describe('an attempt without an outcome', () => {
  const unavailable = new DependencyUnavailableError('verdict');

  test.each<[string, Refusal]>([
    ['contended', refuse('contended')],
    ['unavailable', refuse('unavailable')],
  ])('that is refused as %s leaves the key free, also for another request', async (_, refusal) => {
    expect(await send(async () => refusal)).toEqual({ outcome: refusal, replayed: false });
    const answer = await send(async () => created('done'), { body: { other: true } });
    expect(answer).toEqual({ outcome: created('done'), replayed: false });
  });

  test('that failed because a dependency was unavailable leaves the key free', async () => {
    await expect(send(() => Promise.reject(unavailable))).rejects.toBe(unavailable);
    expect(await send(async () => created('done'), { body: { other: true } })).toMatchObject({ replayed: false });
  });

  test('that never ends keeps the key from other requests until it expires, and never from repeats of its own', async () => {
    const hanging = startAttempt();
    await hanging.started;
    expect(await send(mustNotRun, { body: { other: true } })).toMatchObject({ outcome: mismatch });
    const repeated = startAttempt();
    await repeated.started;
    await scratch.owner.query("UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1", [
      key,
    ]);
    const other = await send(async () => created('other'), { body: { other: true } });
    expect(other).toEqual({ outcome: created('other'), replayed: false });
    // A late attempt is answered with its own outcome, and the key stays with the other request.
    for (const late of [hanging, repeated]) {
      late.settle(created('late'));
      expect(await late.answer).toEqual({ outcome: created('late'), replayed: false });
    }
    expect(await send(mustNotRun, { body: { other: true } })).toEqual({ outcome: created('other'), replayed: true });
  });
});

describe('an abandoned attempt', () => {
  /** Two different requests under one key. */
  function twoRequests() {
    const requestUnderKey = () => ({ tenantId: 'attempts', key, requestDigest: randomBytes(32) });
    return { one: requestUnderKey(), other: requestUnderKey() };
  }

  type Requests = ReturnType<typeof twoRequests>;

  function requireAttempt(result: IdempotencyAttempt | IdempotencyRecord): IdempotencyAttempt {
    if ('requestDigest' in result) throw new Error('the key is held by another request');
    return result;
  }

  async function begin({ one }: Requests): Promise<IdempotencyAttempt> {
    return requireAttempt(await beginAttempt(scratch.database, one));
  }

  async function isHeld({ one, other }: Requests): Promise<boolean> {
    const result = await beginAttempt(scratch.database, other);
    return 'requestDigest' in result && result.requestDigest.equals(one.requestDigest);
  }

  test('leaves the key free for another request', async () => {
    const requests = twoRequests();
    await releaseAttempt(scratch.database, requests.one, await begin(requests));
    expect(await isHeld(requests)).toBe(false);
  });

  test('leaves the key with the other attempts at the same request, in whatever order they began', async () => {
    for (const abandoned of [0, 1, 2]) {
      key = randomUUID();
      const requests = twoRequests();
      const attempts = [await begin(requests), await begin(requests), await begin(requests)];
      await releaseAttempt(scratch.database, requests.one, attempts[abandoned] as IdempotencyAttempt);
      expect(await isHeld(requests)).toBe(true);
      await begin(requests);
    }
  });

  test('does not remove the outcome of another attempt', async () => {
    const requests = twoRequests();
    const [first, second] = [await begin(requests), await begin(requests)];
    expect(await recordOutcome(scratch.database, requests.one, 'done')).toBeUndefined();
    for (const attempt of [first, second]) await releaseAttempt(scratch.database, requests.one, attempt);
    expect(await beginAttempt(scratch.database, requests.one)).toMatchObject({ outcome: 'done' });
    expect(await isHeld(requests)).toBe(true);
  });
});

describe('an outcome', () => {
  const internalError = refuse('internal_error');
  const noConfiguration = refuse('no_configuration', { observed: 'bnp-000009' });

  test.each<[string, RouteResult]>([
    ['a creation', created('{"id":"bnp-000001"}')],
    ['a refusal with details', noConfiguration],
    ['an internal error', internalError],
  ])('that is %s is repeated unchanged', async (_, outcome) => {
    expect(await send(async () => outcome)).toEqual({ outcome, replayed: false });
    expect(await send(mustNotRun)).toEqual({ outcome, replayed: true });
  });

  test('that cannot be stored is still answered, and the failure is reported', async () => {
    const closing = openDatabase({ url: scratch.servicesUrl, name: 'closing', connections: 1 });
    const failures: unknown[] = [];
    const execute = async () => {
      await closing.end();
      return created('done');
    };
    const onNotStored = (...causes: unknown[]) => failures.push(...causes);
    expect(await send(execute, { database: closing, onNotStored })).toEqual({
      outcome: created('done'),
      replayed: false,
    });
    expect(failures).toEqual([expect.any(Error)]);
  });

  test('is deleted once it has expired, and not before', async () => {
    const expired = randomUUID();
    for (const under of [key, expired]) await send(async () => created('done'), { under });
    await scratch.owner.query('UPDATE idempotency_keys SET expires_at = now() WHERE key = $1', [expired]);
    await deleteExpiredOutcomes(scratch.database);
    const { rows } = await scratch.owner.query('SELECT key FROM idempotency_keys WHERE key = ANY ($1)', [
      [key, expired],
    ]);
    expect(rows).toEqual([{ key }]);
  });
});
