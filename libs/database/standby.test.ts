import { expect, test } from '@jest/globals';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import type { Database, StageTimer } from './database.ts';
import { Standby } from './standby.ts';

const timer: StageTimer = { measure: async (_stage, work) => work() };

test('a standby that does not answer is asked again by one call in five seconds, and by all once it answers', async () => {
  let nowMs = 0;
  let connections = 0;
  let isUp = false;
  const connect = async () => {
    connections += 1;
    if (!isUp) throw new Error('connection refused');
    return { query: async () => ({ rows: [] }), release: () => undefined };
  };
  const database = { connect } as object as Database;
  const standby = new Standby({ database, deciderFor, logger: silentLogger, now: () => nowMs });
  const load = () => standby.load([{ tenantId: 'acme', bookId: 'c/ada' }], timer);
  expect([await load(), await load(), connections]).toEqual([undefined, undefined, 1]);
  nowMs = 5_000;
  expect(await Promise.all([load(), load()])).toEqual([undefined, undefined]);
  expect(connections).toBe(2);
  isUp = true;
  nowMs = 10_000;
  expect(await Promise.all([load(), load()])).toEqual([[], undefined]);
  expect(await Promise.all([load(), load()])).toEqual([[], []]);
  expect(connections).toBe(5);
});
