/** What an audit of the whole house finds: nothing where nothing is wrong, and whatever is, by its place. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import { inOneMoment, openAsOwner, openForAudit } from '#libs/database/maintenance-pool.ts';
import { SnapshotCache, snapshotKey } from '#libs/database/snapshot-cache.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { partitionCount } from '#libs/kafka/book-key.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro } from '#libs/kafka/schemas.ts';
import { topicEnds } from '#libs/kafka/topic-ends.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { kept, topics } from '#libs/kafka/topics.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { audit, auditStored } from '#libs/verify/audit/audit.ts';
import { auditTopic } from '#libs/verify/audit/audited-topic.ts';
import { type Finding, Findings, told } from '#libs/verify/audit/finding.ts';
import { LookedUp } from '#libs/verify/audit/lookup.ts';
import { Life } from '#test/integration/life.ts';
import { eventually, type House, house } from '#test/integration/tenant.ts';

let here: House;
let life: Life;
let busy: string;
let database: Database;
let owner: Database;
let redis: Redis;
beforeAll(async () => {
  here = house();
  life = await Life.open(here, 8);
  await life.go(80);
  busy = await life.busyClient();
  database = openForAudit({ url: here.stack.databaseUrl, name: 'audit' });
  owner = openAsOwner({ url: here.stack.databaseUrl, name: 'planter', connections: 1 }, 'public');
  redis = openRedis(here.stack.redisUrl, 'audit');
  await eventually(() => redis.status === 'ready');
});
afterAll(async () => {
  redis.disconnect();
  await owner.end();
  await database.end();
  await life.tenant.close();
});

const say = { warn: () => undefined, error: () => undefined };

function options() {
  const { kafkaBrokers, schemaRegistryUrl } = here.stack;
  const kafka = connectKafka(kafkaBrokers, 'audit');
  return {
    database,
    kafka,
    schemaRegistryUrl,
    kindOf: deciderFor,
    say,
    cache: new SnapshotCache(redis, deciderFor),
    most: 10_000,
  };
}

/** Of this life: others live in the same house, and some of them break things. */
function mine(findings: readonly Finding[]): string[] {
  return findings.filter(({ where }) => where.startsWith(life.tenant.id)).map(told);
}

test('a life of every kind of fact is whole, and every fact of it follows from what was signed', async () => {
  const audited = await audit(options());
  expect(mine(audited.findings)).toEqual([]);
  expect(audited.decidedAnew).toBeGreaterThan(100);
  expect(audited.signatures).toBeGreaterThan(60);
  expect(audited.events).toBe(audited.facts);
});

/** Audits the house as it would be with something changed in it that nobody else ever sees. */
async function withPlanted(statement: string): Promise<string[]> {
  const on = await owner.connect();
  try {
    await on.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rowCount } = await on.query(statement.replaceAll('TENANT', `'${life.tenant.id}'`));
    if (rowCount !== 1) throw new Error(`${rowCount} rows were changed by ${statement}`);
    const { findings } = await auditStored(on, { kindOf: deciderFor, most: 10_000 }, new LookedUp(database));
    return mine(findings.listed);
  } finally {
    await on.query('ROLLBACK');
    on.release();
  }
}

const aReceipt = `(SELECT book_id, sequence FROM facts WHERE tenant_id = TENANT AND kind = 'receipt_reported'
  ORDER BY book_id, sequence LIMIT 1)`;
const itsRequest = `(SELECT request_id, partition FROM facts WHERE tenant_id = TENANT AND (book_id, sequence) IN ${aReceipt})`;

const plantings: readonly (readonly [what: string, statement: string, found: RegExp])[] = [
  [
    'an amount changed in a fact',
    `UPDATE facts SET body = regexp_replace(body::text, '"minor_units":[0-9]+', '"minor_units":7000001')::json
     WHERE tenant_id = TENANT AND (book_id, sequence) IN ${aReceipt}`,
    /c\/client-\S+ \d+: it is not what its request asks for at \/body\/receipt\/amount\/minor_units: expected \d+, found 7000001$/,
  ],
  [
    'a fact that no longer counts',
    `UPDATE facts SET counts = false WHERE tenant_id = TENANT AND (book_id, sequence) IN ${aReceipt}`,
    /it is not what its request asks for at \/counts: expected true, found false$/,
  ],
  [
    'a fact that is missing',
    `DELETE FROM facts WHERE tenant_id = TENANT AND (book_id, sequence) IN ${aReceipt}`,
    /c\/client-\S+ (\d+): a fact is missing: found \d+$/,
  ],
  [
    'a signature swapped for another request’s',
    `UPDATE evidence SET signature = (SELECT signature FROM evidence WHERE tenant_id = TENANT AND signature IS NOT NULL
       AND request_id NOT IN (SELECT request_id FROM ${itsRequest} AS its) LIMIT 1) WHERE (request_id, partition) IN ${itsRequest}`,
    /: the signature is not one of this key over what was sent$/,
  ],
  [
    'a request changed after it was signed',
    `UPDATE evidence SET target = target || '?' WHERE (request_id, partition) IN ${itsRequest}`,
    /: the signature is not one of this key over what was sent$/,
  ],
  [
    'a request signed with a key that may only read',
    `UPDATE evidence SET fp = (SELECT fp FROM keys WHERE tenant_id = TENANT AND scope = 'read' LIMIT 1)
     WHERE (request_id, partition) IN ${itsRequest}`,
    /: its key [0-9a-f]{32} may only read$/,
  ],
  [
    'a request whose moment was changed',
    `UPDATE evidence SET taken_in_at = taken_in_at - 86400000000, ts = ts - 86400 WHERE (request_id, partition) IN ${itsRequest}`,
    /: the signature is not one of this key over what was sent$/,
  ],
  [
    'a request that is not kept',
    `DELETE FROM evidence WHERE (request_id, partition) IN ${itsRequest}`,
    /: the request that caused it is not kept$/,
  ],
  [
    'a missing reference',
    `DELETE FROM refs WHERE tenant_id = TENANT AND (book_id, sequence) IN ${aReceipt}`,
    /: its reference is missing: expected "receipt-/,
  ],
  [
    'a reference that stands for another request',
    `UPDATE refs SET digest = sha256(digest) WHERE tenant_id = TENANT AND (book_id, sequence) IN ${aReceipt}`,
    /: its reference stands for another request: expected/,
  ],
  [
    'an amount changed in a snapshot',
    `UPDATE snapshots SET data = regexp_replace(data, '"minor_units":[0-9]+', '"minor_units":7000001')
     WHERE tenant_id = TENANT AND book_id = (SELECT max(book_id) FROM snapshots WHERE tenant_id = TENANT)`,
    /: the snapshot in Postgres is not the fold of the facts: expected .*, found .*7000001/,
  ],
  [
    'a gap in the feed',
    'DELETE FROM feed WHERE tenant_id = TENANT AND number = 2',
    / feed: the feed has a gap: expected 2, found 3$/,
  ],
  [
    'a fact that the feed tells otherwise',
    "UPDATE feed SET kind = 'ceded' WHERE tenant_id = TENANT AND number = 1",
    / feed 1: the feed does not tell the fact as it is: expected .*issued.*, found .*ceded/,
  ],
  [
    'a Loan listed in another state',
    "UPDATE loans SET state = 'voided' WHERE tenant_id = TENANT AND number = 1",
    /: its Loans are listed in other states: expected .*, found .*voided/,
  ],
  [
    'a Client found due from another day',
    `UPDATE books SET due_from = due_from + 1 WHERE tenant_id = TENANT AND book_id =
      (SELECT min(book_id) FROM books WHERE tenant_id = TENANT AND due_from IS NOT NULL)`,
    /: it is found due from another day: expected \d+, found \d+$/,
  ],
  [
    'a row that counts a fact too many',
    `UPDATE books SET sequence = sequence + 1 WHERE tenant_id = TENANT AND book_id = (SELECT min(book_id) FROM books
      WHERE tenant_id = TENANT AND book_id <> 't')`,
    /: its row counts other facts: expected (\d+), found \d+$/,
  ],
  [
    'a listing that says something else',
    `UPDATE listed SET "row" = '{}' WHERE tenant_id = TENANT AND listing = 'clients' AND number = 1`,
    /: it is not what its request asks for at \/listed\/row\/client_id: expected "client-/,
  ],
  [
    'a listing with a gap',
    "DELETE FROM listed WHERE tenant_id = TENANT AND listing = 'clients' AND number = 2",
    / clients: a listing has a gap: expected 2, found 3$/,
  ],
  [
    'a key that may do more than was minted',
    `UPDATE keys SET scope = 'write' WHERE fp = (SELECT min(fp) FROM keys WHERE tenant_id = TENANT AND scope = 'read')`,
    / keys [0-9a-f]{32}: its row is not what the Tenancy’s book says: expected .*"read".*, found .*"write"/,
  ],
  [
    'a product version that was changed',
    `UPDATE configurations SET "values" = '{}' WHERE tenant_id = TENANT AND configuration_id = 'ins-000001'`,
    / configurations ins-000001\/1: its row is not what the Tenancy’s book says/,
  ],
];

describe('planted in the database', () => {
  test.each(plantings)('%s is found and named', async (_what, statement, found) => {
    expect(await withPlanted(statement)).toContainEqual(expect.stringMatching(found));
  });
});

test('a snapshot that was changed in Redis is found and named', async () => {
  const [client] = life.clients;
  const key = snapshotKey(life.tenant.id, `c/${client}`);
  await life.tenant.get(`/clients/${client}/payment-options?on=2026-05-01`);
  await eventually(async () => (await redis.exists(key)) === 1);
  const held = String(await redis.hget(key, 'd'));
  await redis.hset(key, 'd', held.replace(/"minor_units":\d+/, '"minor_units":7000001'));
  try {
    const found = expect.stringMatching(
      /: the snapshot in Redis is not the fold of the facts: expected .*, found .*7000001/,
    );
    const { findings } = await inOneMoment(database, (on) => auditStored(on, options(), new LookedUp(database)));
    expect(mine(findings.listed)).toContainEqual(found);
  } finally {
    await redis.hset(key, 'd', held);
  }
});

type Event = BookEvent<number>;

describe('planted in the topic', () => {
  /** The topic as it is, in another where its events may be told otherwise. */
  async function toldAs(change: (event: Event, nth: number) => readonly Event[]): Promise<string[]> {
    const { kafka, schemaRegistryUrl } = options();
    const codec = await AvroCodec.register<Event>(new SchemaRegistry(schemaRegistryUrl), {
      ...bookEventAvro,
      exactLongs: false,
    });
    const topic = `audited-${randomUUID()}`;
    const configEntries = [...(kept[topics.bookEvents] ?? [])];
    const admin = kafka.admin();
    await admin.connect();
    // The driver's own way of waiting gives up where the broker does not know the topic yet.
    await admin.createTopics({
      waitForLeaders: false,
      topics: [{ topic, numPartitions: partitionCount, configEntries }],
    });
    await eventually(async () => (await topicEnds(kafka, topic).catch(() => new Map())).size === partitionCount);
    const writer = await LogWriter.open(kafka);
    const lasts = new Map(Array.from({ length: partitionCount }, (_, partition) => [partition, 0]));
    let nth = 0;
    await readTopic({
      kafka,
      topic: topics.bookEvents,
      say,
      async take(partition, records) {
        const appends = records.flatMap(({ value }) => {
          const event = codec.decode(value as Buffer) as Event;
          lasts.set(partition, event.sequence);
          // Of a Client with many: the fifth is not the last of its partition.
          const isHers = event.tenant_id === life.tenant.id && event.book_id === `c/${busy}`;
          if (!isHers || event.kind !== 'receipt_reported') return [event];
          nth += 1;
          return change(event, nth);
        });
        const written = appends.map((event) =>
          writer.append({ topic, partition, key: '', value: codec.encode(event) }),
        );
        await Promise.all(written);
      },
    });
    const findings = new Findings(100);
    const events = await AvroCodec.register<BookEvent, BookEvent<number>>(
      new SchemaRegistry(schemaRegistryUrl),
      bookEventAvro,
    );
    await inOneMoment(database, (on) => auditTopic({ kafka, topic, codec: events, say, on, findings, lasts }));
    await writer.close();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
    return findings.listed.map(told);
  }

  const atTheFifth = (otherwise: (event: Event) => readonly Event[]) => (event: Event, nth: number) =>
    nth === 5 ? otherwise(event) : [event];

  test('nothing is found where nothing was', async () => {
    expect(await toldAs((event) => [event])).toEqual([]);
  });

  test.each<[string, (event: Event) => readonly Event[], RegExp]>([
    ['a missing event', () => [], /partition \d+ \d+: an event is missing: found \d+$/],
    ['a repeated event', (event) => [event, event], /partition \d+ \d+: an event is repeated: expected \d+$/],
    [
      'an amount changed in an event',
      (event) => [{ ...event, body: event.body.replace(/"minor_units":\d+/, '"minor_units":7000001') }],
      /the topic tells another body of \S+\/c\/client-\S+ \d+ than the database: expected .*, found .*7000001/,
    ],
    [
      'a swapped signature',
      (event) => [{ ...event, evidence: swapped(event.evidence) }],
      /the topic tells another evidence of \S+\/c\/client-\S+ \d+ than the database/,
    ],
  ])('%s is found and named', async (_what, otherwise, found) => {
    expect(await toldAs(atTheFifth(otherwise))).toEqual([expect.stringMatching(found)]);
  });

  function swapped(evidence: Event['evidence']): Event['evidence'] {
    if (evidence === null || !('lending.Evidence' in evidence)) return { 'lending.EvidenceAt': { sequence: 1 } };
    return { 'lending.Evidence': { ...evidence['lending.Evidence'], signature: Buffer.alloc(64) } };
  }
});
