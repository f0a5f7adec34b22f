import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { encodeVerdicts, verdictChannel } from '#libs/database/verdict-delivery.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { PendingVerdicts } from '#libs/submission/pending-verdicts.ts';
import { eventually } from '#test/support/tenant.ts';

const ingress = 'here';
const ana = '0190b5a8-0000-7000-8000-00000000000a';
const bea = '0190b5a8-0000-7000-8000-00000000000b';
const done = { status: 201, body: '{}' };

let subscriber: EventEmitter & { status: string };
let pendingVerdicts: PendingVerdicts;
/** The rows of the verdicts table. */
let table: string[];
let warnings: string[];
beforeEach(() => {
  table = [];
  warnings = [];
  subscriber = Object.assign(new EventEmitter(), {
    status: 'ready',
    subscribe: async () => 1,
    unsubscribe: async () => 0,
  });
  const query = async ({ values }: { readonly values: readonly unknown[] }) => ({
    rows: table.filter((verdict) => belongsTo(values[0] as Buffer, verdict)).map((verdict) => ({ verdict })),
  });
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) };
  pendingVerdicts = new PendingVerdicts({
    ingress,
    subscriber: subscriber as unknown as Redis,
    databases: PartitionDatabases.of({ query } as unknown as Database),
    logger,
  });
});
afterEach(() => pendingVerdicts.close());

/** An unreadable row belongs to every request. */
function belongsTo(requestIds: Buffer, verdict: string): boolean {
  const requestId = /^\["([^"]*)"/.exec(verdict)?.[1];
  return requestId === undefined || requestIds.includes(Buffer.from(requestId.replaceAll('-', ''), 'hex'));
}

function publish(text: string): void {
  subscriber.emit('message', verdictChannel(ingress), text);
}

/** A verdict as a newer release encodes it, with a refusal this release does not know. */
function encodedRefusal(requestId: string, refusal: object): string {
  const body = JSON.stringify(refusal);
  return `${JSON.stringify([requestId, 0, 0, body.length])}\n${body}`;
}

const unknownRefusal = {
  code: 'a_new_code',
  status: 409,
  retry: 'after_record',
  says: 'A rule of a newer release refuses this.',
  details: { bound: 3 },
};

test('a refusal of a newer processor is passed on unchanged', async () => {
  const results = pendingVerdicts.waitFor(ana, 1, 1_000);
  publish(encodedRefusal(ana, unknownRefusal));
  const { says: message, ...refusal } = unknownRefusal;
  expect((await results).get(0)).toEqual({ refused: true, message, ...refusal });
});

test('an incomplete refusal is answered as an internal error and logged', async () => {
  const results = pendingVerdicts.waitFor(ana, 1, 1_000);
  publish(encodedRefusal(ana, { code: 'a_new_code' }));
  expect((await results).get(0)).toEqual(refuse('internal_error'));
  expect(warnings).toEqual(['failed to decode a verdict']);
});

test('unreadable messages affect no pending request', async () => {
  for (const text of [
    '',
    'no verdict',
    'null\n',
    '7\n',
    '[null,null,null,null]\n',
    encodedRefusal('unknown', { code: 'a_new_code' }),
  ])
    publish(text);
  expect(warnings).toHaveLength(6);
  const results = pendingVerdicts.waitFor(ana, 1, 1_000);
  publish(encodeVerdicts([{ requestId: ana, item: 0, outcome: done }]));
  expect((await results).get(0)).toEqual(done);
});

test('an unreadable verdict does not affect the others of its message', async () => {
  const both = [pendingVerdicts.waitFor(ana, 1, 1_000), pendingVerdicts.waitFor(bea, 1, 1_000)];
  const index = [ana, 0, 0, 3, bea, 0, 201, 2];
  publish(`${JSON.stringify(index)}\n{a}{}`);
  expect((await both[0])?.get(0)).toEqual(refuse('internal_error'));
  expect((await both[1])?.get(0)).toEqual(done);
});

test('an unreadable row of the table does not hide the following rows', async () => {
  subscriber.status = 'reconnecting';
  table = [
    'no verdict',
    encodedRefusal(ana, unknownRefusal),
    encodeVerdicts([{ requestId: bea, item: 0, outcome: done }]),
  ];
  const both = [pendingVerdicts.waitFor(ana, 1, 1_000), pendingVerdicts.waitFor(bea, 1, 1_000)];
  expect((await both[0])?.get(0)).toMatchObject({ code: 'a_new_code' });
  expect((await both[1])?.get(0)).toEqual(done);
});

test('without Redis a request behind many undecided ones is answered from the table', async () => {
  subscriber.status = 'reconnecting';
  table = [encodeVerdicts([{ requestId: ana, item: 0, outcome: done }])];
  const stuck = Array.from({ length: 1_200 }, () => pendingVerdicts.waitFor(randomUUID(), 1, 60_000));
  const results = pendingVerdicts.waitFor(ana, 1, 60_000);
  expect((await results).get(0)).toEqual(done);
  pendingVerdicts.close();
  expect((await Promise.all(stuck)).every(({ size }) => size === 0)).toBe(true);
});

test('while Redis is disconnected the address is one that nothing subscribes to', () => {
  expect(pendingVerdicts.address).toBe(ingress);
  subscriber.status = 'reconnecting';
  expect(pendingVerdicts.address).not.toBe(ingress);
});

test('without Redis a database that hangs delays no verdict of another one', async () => {
  subscriber.status = 'reconnecting';
  const rows: { verdict: string }[] = [];
  let polls = 0;
  const home = {
    query: async () => {
      polls += 1;
      return { rows };
    },
  } as unknown as Database;
  const north = { query: () => new Promise(() => undefined) } as unknown as Database;
  const placement = {
    partitionCount: 12,
    databases: [{ name: 'north', number: 1 }],
    numbers: new Map([[4, 1]]),
    earlierNumbers: new Map(),
  };
  const databases = new PartitionDatabases(home, placement, () => north);
  pendingVerdicts.close();
  pendingVerdicts = new PendingVerdicts({
    ingress,
    subscriber: subscriber as unknown as Redis,
    databases,
    logger: silentLogger,
  });
  const results = pendingVerdicts.waitFor(ana, 1, 60_000);
  await eventually(async () => polls > 0);
  rows.push({ verdict: encodeVerdicts([{ requestId: ana, item: 0, outcome: done }]) });
  expect((await results).get(0)).toEqual(done);
});
