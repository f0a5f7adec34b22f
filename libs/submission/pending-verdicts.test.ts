import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import { encodeVerdicts, verdictChannel } from '#libs/database/verdicts.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { PendingVerdicts } from '#libs/submission/pending-verdicts.ts';

const ingress = 'here';
const ana = '0190b5a8-0000-7000-8000-00000000000a';
const bea = '0190b5a8-0000-7000-8000-00000000000b';
const done = { status: 201, body: '{}' };

let subscriber: EventEmitter & { status: string };
let desk: PendingVerdicts;
/** The verdicts of the table. */
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
    rows: table.filter((verdict) => isOfThose(values[0] as Buffer, verdict)).map((verdict) => ({ verdict })),
  });
  const say = { warn: (_: object, message: string) => void warnings.push(message), error: () => undefined };
  desk = new PendingVerdicts({
    ingress,
    subscriber: subscriber as unknown as Redis,
    database: { query } as unknown as Database,
    say,
  });
});
afterEach(() => desk.close());

/** What cannot be read is anybody's. */
function isOfThose(asked: Buffer, verdict: string): boolean {
  const named = /^\["([^"]*)"/.exec(verdict)?.[1];
  return named === undefined || asked.includes(Buffer.from(named.replaceAll('-', ''), 'hex'));
}

function hear(text: string): void {
  subscriber.emit('message', verdictChannel(ingress), text);
}

/** As a release says it that knows more codes than this one. */
function said(requestId: string, refusal: object): string {
  const body = JSON.stringify(refusal);
  return `${JSON.stringify([requestId, 0, 0, body.length])}\n${body}`;
}

const newer = {
  code: 'a_new_code',
  status: 409,
  retry: 'after_record',
  says: 'Something new stands in the way.',
  details: { bound: 3 },
};

test('a refusal that only the processor knows is passed on as it said it', async () => {
  const told = desk.await(ana, 1, 1_000);
  hear(said(ana, newer));
  expect((await told).get(0)).toEqual({ refused: true, ...newer });
});

test('one of which it said the code alone is answered as a fault of ours, and told to whoever looks after it', async () => {
  const told = desk.await(ana, 1, 1_000);
  hear(said(ana, { code: 'a_new_code' }));
  expect((await told).get(0)).toEqual(refuse('internal_error'));
  expect(warnings).toEqual(['a verdict cannot be read']);
});

test('what is said to nobody in a way nobody can read costs nobody anything', async () => {
  for (const text of [
    '',
    'no verdict',
    'null\n',
    '7\n',
    '[null,null,null,null]\n',
    said('nobody', { code: 'a_new_code' }),
  ])
    hear(text);
  expect(warnings).toHaveLength(6);
  const told = desk.await(ana, 1, 1_000);
  hear(encodeVerdicts([{ requestId: ana, item: 0, outcome: done }]));
  expect((await told).get(0)).toEqual(done);
});

test('of verdicts told together the one that cannot be read costs itself alone', async () => {
  const both = [desk.await(ana, 1, 1_000), desk.await(bea, 1, 1_000)];
  const index = [ana, 0, 0, 3, bea, 0, 201, 2];
  hear(`${JSON.stringify(index)}\n{a}{}`);
  expect((await both[0])?.get(0)).toEqual(refuse('internal_error'));
  expect((await both[1])?.get(0)).toEqual(done);
});

test('a row of the table that cannot be read hides none of the rows behind it', async () => {
  subscriber.status = 'reconnecting';
  table = ['no verdict', said(ana, newer), encodeVerdicts([{ requestId: bea, item: 0, outcome: done }])];
  const both = [desk.await(ana, 1, 1_000), desk.await(bea, 1, 1_000)];
  expect((await both[0])?.get(0)).toMatchObject({ code: 'a_new_code' });
  expect((await both[1])?.get(0)).toEqual(done);
});

test('with Redis away whoever came behind many that nobody decides is told what the table says of it', async () => {
  subscriber.status = 'reconnecting';
  table = [encodeVerdicts([{ requestId: ana, item: 0, outcome: done }])];
  const stuck = Array.from({ length: 1_200 }, () => desk.await(randomUUID(), 1, 60_000));
  const told = desk.await(ana, 1, 60_000);
  expect((await told).get(0)).toEqual(done);
  desk.close();
  expect((await Promise.all(stuck)).every(({ size }) => size === 0)).toBe(true);
});

test('verdicts are said to where nobody listens while the line they would come on does not stand', () => {
  expect(desk.address).toBe(ingress);
  subscriber.status = 'reconnecting';
  expect(desk.address).not.toBe(ingress);
});
