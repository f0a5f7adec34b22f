/** What is kept under an `Idempotency-Key`, in a database of its own: attempts that overlap, break off or are not kept. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { sweepIdempotency } from '#libs/database/idempotency.ts';
import { migrate } from '#libs/database/migrate.ts';
import type { IdempotentRequest, RouteResult } from '#libs/http/handler.ts';
import { answerOnce } from '#libs/http/idempotency.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { house } from './tenant.ts';

const scratch = `once_${randomUUID().slice(0, 8)}`;
let owner: pg.Client;
let tables: pg.Client;
let address: string;
let database: Database;
beforeAll(async () => {
  const { databaseUrl } = house().stack;
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${scratch}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${scratch}`;
  address = url.href;
  await migrate(address);
  tables = new pg.Client({ connectionString: address });
  await tables.connect();
  database = openDatabase({ url: address, name: 'once' });
});
afterAll(async () => {
  await database.end();
  await tables.end();
  await owner.query(`DROP DATABASE ${scratch} WITH (FORCE)`);
  await owner.end();
});

let key: string;
beforeEach(() => {
  key = randomUUID();
});

const timing = { measure: <T>(_: string, work: () => Promise<T>): Promise<T> => work() };

/** What a caller is told: the outcome, and whether it was of an earlier request. */
interface Told {
  readonly outcome: RouteResult;
  readonly replayed: boolean;
}

async function send(
  act: IdempotentRequest['act'],
  { under = key, body = {}, by = database, onUnkept = () => {} } = {},
): Promise<Told> {
  let replayed = false;
  const target = '/v1/tenants/acme/product-configurations';
  const admitted = {
    tenancy: { id: 'acme' },
    idempotencyKey: under,
    evidence: { method: 'POST', target },
    body,
    timing,
  };
  const outcome = await answerOnce({ database: by, onUnkept })({
    admitted: admitted as unknown as IdempotentRequest['admitted'],
    act,
    header: (name, value) => {
      replayed = name === 'Idempotent-Replayed' && value === 'true';
    },
  });
  return { outcome, replayed };
}

function created(text: string): RouteResult {
  return { status: 201, text };
}

const never: IdempotentRequest['act'] = () => {
  throw new Error('it was done a second time');
};

/** An attempt that is under way until it is told what came of it. */
function attempting(body = {}) {
  const begun = Promise.withResolvers<void>();
  const came = Promise.withResolvers<RouteResult>();
  const told = send(
    () => {
      begun.resolve();
      return came.promise;
    },
    { body },
  );
  return { begun: begun.promise, told, settle: came.resolve, fail: came.reject };
}

const mismatch = expect.objectContaining({ code: 'idempotency_mismatch' });

describe('attempts that overlap', () => {
  test('are all made, and each is answered what was recorded first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), async (order) => {
        key = randomUUID();
        const attempts = order.map(() => attempting());
        await Promise.all(attempts.map(({ begun }) => begun));
        const told: Told[] = [];
        for (const nth of order) {
          const attempt = attempts[nth];
          attempt?.settle(created(`${nth}`));
          if (attempt !== undefined) told.push(await attempt.told);
        }
        const first = created(`${order[0]}`);
        expect(told.map(({ outcome }) => outcome)).toEqual(told.map(() => first));
        expect(told.map(({ replayed }) => replayed)).toEqual([false, true, true, true]);
        expect(await send(never)).toEqual({ outcome: first, replayed: true });
      }),
      { numRuns: 12 },
    );
  });

  test('of another request are not made, and refused while the first is under way', async () => {
    const first = attempting();
    await first.begun;
    expect(await send(never, { body: { other: true } })).toEqual({ outcome: mismatch, replayed: false });
    first.settle(created('made'));
    await first.told;
    expect(await send(never, { body: { other: true } })).toEqual({ outcome: mismatch, replayed: false });
  });
});

describe('an attempt that came to no outcome', () => {
  const away = new DependencyUnavailableError('verdict');

  test.each<[string, Refusal]>([
    ['contended', refuse('contended')],
    ['unavailable', refuse('unavailable')],
  ])('but %s leaves the key free, for another request too', async (_, refusal) => {
    expect(await send(async () => refusal)).toEqual({ outcome: refusal, replayed: false });
    const told = await send(async () => created('made'), { body: { other: true } });
    expect(told).toEqual({ outcome: created('made'), replayed: false });
  });

  test('because the store is away leaves the key free', async () => {
    await expect(send(() => Promise.reject(away))).rejects.toBe(away);
    expect(await send(async () => created('made'), { body: { other: true } })).toMatchObject({ replayed: false });
  });

  test('and never will keeps the key from other requests for a while, and from its own not at all', async () => {
    const broken = attempting();
    await broken.begun;
    expect(await send(never, { body: { other: true } })).toMatchObject({ outcome: mismatch });
    const again = attempting();
    await again.begun;
    await tables.query("UPDATE idempotency SET ends_at = now() - interval '1 second' WHERE key = $1", [key]);
    const other = await send(async () => created('other'), { body: { other: true } });
    expect(other).toEqual({ outcome: created('other'), replayed: false });
    // Late, and done all the same: it is told what came of it, and the key stays the other's.
    for (const late of [broken, again]) {
      late.settle(created('late'));
      expect(await late.told).toEqual({ outcome: created('late'), replayed: false });
    }
    expect(await send(never, { body: { other: true } })).toEqual({ outcome: created('other'), replayed: true });
  });
});

describe('an outcome', () => {
  const fault = refuse('internal_error');
  const absent = refuse('no_configuration', { observed: 'bnp-000009' });

  test.each<[string, RouteResult]>([
    ['a creation', created('{"id":"bnp-000001"}')],
    ['a refusal with its details', absent],
    ['our own fault', fault],
  ])('that is %s answers its repeats as it was', async (_, outcome) => {
    expect(await send(async () => outcome)).toEqual({ outcome, replayed: false });
    expect(await send(never)).toEqual({ outcome, replayed: true });
  });

  test('that cannot be kept is told all the same, and said to those who watch', async () => {
    const losing = openDatabase({ url: address, name: 'losing', connections: 1 });
    const unkept: unknown[] = [];
    const act = async () => {
      await losing.end();
      return created('made');
    };
    const told = await send(act, { by: losing, onUnkept: (...causes: unknown[]) => unkept.push(...causes) });
    expect(told).toEqual({ outcome: created('made'), replayed: false });
    expect(unkept).toEqual([expect.any(Error)]);
  });

  test('is swept once its day is over, and no sooner', async () => {
    const over = randomUUID();
    for (const under of [key, over]) await send(async () => created('made'), { under });
    await tables.query('UPDATE idempotency SET ends_at = now() WHERE key = $1', [over]);
    await sweepIdempotency(database);
    const { rows } = await tables.query('SELECT key FROM idempotency WHERE key = ANY ($1)', [[key, over]]);
    expect(rows).toEqual([{ key }]);
  });
});
