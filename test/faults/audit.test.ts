/** The audit finds nothing in correct data, and reports every kind of corruption with its place. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topicSettings, topics } from '#libs/kafka/topics.ts';
import { openToolRedis } from '#libs/redis/redis.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { type AuditOptions, type AuditResult, audit } from '#libs/verify/audit/audit.ts';
import type { AuditStart } from '#libs/verify/audit/audit-start.ts';
import { auditStored } from '#libs/verify/audit/audit-stored.ts';
import { auditTopic } from '#libs/verify/audit/audit-topic.ts';
import { type Finding, Findings, formatFinding } from '#libs/verify/audit/findings.ts';
import { ResolvedData } from '#libs/verify/audit/read-ingress-lookups.ts';
import { ShortSnapshots, snapshotOf } from '#libs/verify/audit/snapshots.ts';
import { auditOptions } from '#test/support/audit-findings.ts';
import { checkFactBodies } from '#test/support/fact-bodies.ts';
import { allPartitions, partitionCount } from '#test/support/partitions.ts';
import { RandomActivity } from '#test/support/random-activity.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

let here: TestEnvironment;
let activity: RandomActivity;
let busyClient: string;
let opened: OpenedDatabases;
let databases: PartitionDatabases;
/** The same, for changes. */
let owned: OpenedDatabases;
let redis: Redis;
beforeAll(async () => {
  here = testEnvironment();
  opened = await openTestDatabases(here, { name: 'audit', as: 'audit' });
  owned = await openTestDatabases(here, { name: 'corruption', as: 'owner', connections: 1 });
  ({ databases } = opened);
  activity = await RandomActivity.open(here, 8, databases);
  await activity.run(80);
  busyClient = await activity.busyClient();
  redis = openToolRedis(here.stack.redisUrl, 'audit');
  await eventually(() => redis.status === 'ready');
});
afterAll(async () => {
  redis.disconnect();
  await owned.close();
  await opened.close();
  await activity.tenant.close();
});

/** Of one database of the cell. */
function options(database: Database = databases.home) {
  return auditOptions(here, databases, { database, redis });
}

/** So small that every check goes over many parts. */
const sizes = { maxEvents: 40, maxRequests: 150, maxRows: 100, maxSearchedRows: 7 };

/** Findings about this Tenancy: tests of other files corrupt theirs. */
function ownFindings(findings: readonly Finding[]): string[] {
  return findings.filter(({ where }) => where.startsWith(activity.tenant.id)).map(formatFinding);
}

test('an audit of random activity with every kind of fact finds nothing', async () => {
  const results: AuditResult[] = [];
  for (const database of databases.all) results.push(await audit(options(database)));
  const sumOf = (figure: 'redecided' | 'signatures') => results.reduce((sum, result) => sum + result[figure], 0);
  expect(results.flatMap(({ findings }) => ownFindings(findings))).toEqual([]);
  expect(sumOf('redecided')).toBeGreaterThan(100);
  expect(sumOf('signatures')).toBeGreaterThan(60);
  for (const { events, facts } of results) expect(events).toBe(facts);
});

test('the facts of random activity satisfy the schemas that consumers of the topic read them by', async () => {
  const { kinds, faults } = await checkFactBodies(databases, activity.tenant.id);
  expect(faults).toEqual([]);
  expect(kinds.size).toBeGreaterThan(5);
});

/** Audits a database that has the row with a change that is rolled back afterwards: that of the Tenancy, if it has it. */
async function findingsAfter(statement: string, place = activity.tenant.id): Promise<string[]> {
  const ofTenancy = databases.ofTenancy(activity.tenant.id);
  for (const database of new Set([ofTenancy, ...databases.all])) {
    const findings = await findingsWithChange(database, statement, place);
    if (findings !== undefined) return findings;
  }
  throw new Error(`no row was changed by ${statement}`);
}

/** Undefined where the database has no such row. */
async function findingsWithChange(database: Database, statement: string, place: string): Promise<string[] | undefined> {
  const owner = owned.databases.all[databases.all.indexOf(database)] as Database;
  const transaction = await owner.connect();
  try {
    await transaction.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rowCount } = await transaction.query(statement.replaceAll('TENANT', `'${activity.tenant.id}'`));
    if (rowCount === 0) return undefined;
    if (rowCount !== 1) throw new Error(`${rowCount} rows were changed by ${statement}`);
    const { others } = options(database);
    const { findings } = await auditStored(
      snapshotOf(transaction),
      { deciderFor, maxFindings: 10_000, sizes, others },
      new ResolvedData(databases),
    );
    const isExpected = (where: string): boolean =>
      where.startsWith(place) || where.includes(orphanRequest.slice('019ac'.length));
    return findings.listed.filter(({ where }) => isExpected(where)).map(formatFinding);
  } finally {
    await transaction.query('ROLLBACK');
    transaction.release();
  }
}

const receiptFact = `(SELECT book_id, sequence FROM facts WHERE tenant_id = TENANT AND kind = 'receipt_reported'
  ORDER BY book_id, sequence LIMIT 1)`;
const receiptRequest = `(SELECT request_id, partition FROM facts WHERE tenant_id = TENANT AND (book_id, sequence) IN ${receiptFact})`;
const receiptEvent = `(SELECT partition, event_number FROM facts WHERE tenant_id = TENANT AND (book_id, sequence) IN ${receiptFact})`;

/** The id of a request that a corruption adds. */
const orphanRequest = '019ac000-0000-7000-8000-000000000001';

const corruptions: readonly (readonly [what: string, statement: string, finding: RegExp])[] = [
  [
    'an amount changed in a fact',
    `UPDATE facts SET body = regexp_replace(body::text, '"minor_units":[0-9]+', '"minor_units":7000001')::json
     WHERE tenant_id = TENANT AND (book_id, sequence) IN ${receiptFact}`,
    /c\/client-\S+ \d+: it differs from what its request produces at \/body\/receipt\/amount\/minor_units: expected \d+, found 7000001$/,
  ],
  [
    'a fact that no longer counts',
    `UPDATE facts SET counts = false WHERE tenant_id = TENANT AND (book_id, sequence) IN ${receiptFact}`,
    /it differs from what its request produces at \/counts: expected true, found false$/,
  ],
  [
    'a fact that is missing',
    `DELETE FROM facts WHERE tenant_id = TENANT AND (book_id, sequence) IN ${receiptFact}`,
    /c\/client-\S+ (\d+): a fact is missing: found \d+$/,
  ],
  [
    'the signature of another request',
    `UPDATE request_evidence SET signature = (SELECT signature FROM request_evidence WHERE tenant_id = TENANT AND signature IS NOT NULL
       AND request_id NOT IN (SELECT request_id FROM ${receiptRequest} AS its) LIMIT 1) WHERE (request_id, partition) IN ${receiptRequest}`,
    /: the signature does not match the request and the key$/,
  ],
  [
    'a request changed after it was signed',
    `UPDATE request_evidence SET target = target || '?' WHERE (request_id, partition) IN ${receiptRequest}`,
    /: the signature does not match the request and the key$/,
  ],
  [
    'a request signed with a read-only key',
    `UPDATE request_evidence SET fp_bytes = (SELECT decode(fp, 'hex') FROM keys WHERE tenant_id = TENANT AND scope = 'read' LIMIT 1)
     WHERE (request_id, partition) IN ${receiptRequest}`,
    /: its key [0-9a-f]{32} has no write scope$/,
  ],
  [
    'a request with another time',
    `UPDATE request_evidence SET received_at = received_at - 86400000000, ts = ts - 86400 WHERE (request_id, partition) IN ${receiptRequest}`,
    /: the signature does not match the request and the key$/,
  ],
  [
    'a missing request',
    `DELETE FROM request_evidence WHERE (request_id, partition) IN ${receiptRequest}`,
    /: its request is missing$/,
  ],
  [
    'a missing reference',
    `DELETE FROM reference_hashes WHERE (partition, event_number) IN ${receiptEvent}`,
    /: its reference is missing: expected "receipt-/,
  ],
  [
    'a reference with the digest of another request',
    `UPDATE reference_hashes SET digest = sha256(digest) WHERE (partition, event_number) IN ${receiptEvent}`,
    /: its reference has the digest of another request: expected/,
  ],
  ...[
    /: its reference points to another fact: expected /,
    / reference [0-9a-f-]{36}: a reference points to a fact recorded under another one: /,
  ].map(
    (finding) =>
      [
        'a reference of another fact',
        `UPDATE reference_hashes SET (partition, event_number) = (SELECT partition, event_number FROM facts
           WHERE tenant_id = TENANT AND book_id <> 't' AND sequence = 1 LIMIT 1) WHERE (partition, event_number) IN ${receiptEvent}`,
        finding,
      ] as const,
  ),
  [
    'a reference without a fact',
    `UPDATE reference_hashes SET event_number = 1000000 WHERE (partition, event_number) IN ${receiptEvent}`,
    /: its reference points to another fact: expected /,
  ],
  [
    'an amount changed in a snapshot',
    `UPDATE snapshots SET data = regexp_replace(data, '"minor_units":[0-9]+', '"minor_units":7000001')
     WHERE tenant_id = TENANT AND book_id = (SELECT max(book_id) FROM snapshots WHERE tenant_id = TENANT)`,
    /: the snapshot in Postgres differs from the fold of the facts: expected .*, found .*7000001/,
  ],
  [
    'a gap in the feed',
    'DELETE FROM feed WHERE tenant_id = TENANT AND number = 2',
    / feed: the feed has a gap: expected 2, found 3$/,
  ],
  [
    'a feed entry that differs from its fact',
    "UPDATE feed SET kind = 'ceded' WHERE tenant_id = TENANT AND number = 1",
    / feed 1: an entry of the feed differs from its fact: expected .*issued.*, found .*ceded/,
  ],
  [
    'a Loan listed with a wrong state',
    "UPDATE loans SET state = 'voided' WHERE tenant_id = TENANT AND number = 1",
    / loan [0-9a-f-]{36}: the stored state differs from the fold of the facts: expected .*, found "voided"$/,
  ],
  [
    'a wrong first due day',
    `UPDATE books SET due_from = due_from + 1 WHERE tenant_id = TENANT AND book_id =
      (SELECT min(book_id) FROM books WHERE tenant_id = TENANT AND due_from IS NOT NULL)`,
    /: wrong first due day in the row of the book: expected \d+, found \d+$/,
  ],
  [
    'a wrong sequence of a book',
    `UPDATE books SET sequence = sequence + 1 WHERE tenant_id = TENANT AND book_id = (SELECT min(book_id) FROM books
      WHERE tenant_id = TENANT AND book_id <> 't')`,
    /: wrong sequence in the row of the book: expected (\d+), found \d+$/,
  ],
  [
    'a changed entry of a listing',
    `UPDATE listed_records SET "row" = '{}' WHERE tenant_id = TENANT AND listing = 'clients' AND number = 1`,
    /: it differs from what its request produces at \/listed\/row\/client_id: expected "client-/,
  ],
  [
    'a listing with a gap',
    "DELETE FROM listed_records WHERE tenant_id = TENANT AND listing = 'clients' AND number = 2",
    / clients: a listing has a gap: expected 2, found 3$/,
  ],
  [
    'a feed entry without a fact',
    `INSERT INTO feed (tenant_id, number, event_id, loan_id, kind, occurred_on, recorded_at)
     SELECT tenant_id, 1 + max(number), gen_random_uuid(), min(loan_id::text)::uuid, 'ceded', 0, 0 FROM feed WHERE tenant_id = TENANT
     GROUP BY tenant_id`,
    / feed \d+: an entry of the feed differs from its fact: expected \[null.*\], found .*ceded/,
  ],
  [
    'a fact moved to another entry of the feed',
    `UPDATE facts SET feed_number = 2 WHERE tenant_id = TENANT AND feed_number = 1`,
    / feed 1: an entry of the feed differs from its fact: expected \[null/,
  ],
  [
    'a listed Loan of a Client without a book',
    `INSERT INTO loans SELECT tenant_id, gen_random_uuid(), 1, 'client-x', 'r', configuration_id, configuration_version, NULL, state
     FROM loans WHERE tenant_id = TENANT AND number = 1`,
    / loan [0-9a-f-]{36}: a listed Loan has no issuing fact$/,
  ],
  [
    'a listed Loan under another number than its fact',
    `UPDATE loans SET number = number + 100000 WHERE tenant_id = TENANT AND number = 1`,
    / loan [0-9a-f-]{36}: a listed Loan has no issuing fact$/,
  ],
  [
    'an entry of a listing without a fact',
    `UPDATE listed_records SET sequence = sequence + 100000 WHERE tenant_id = TENANT AND listing = 'clients' AND number = 1`,
    / clients \S+: an entry of a listing has no fact$/,
  ],
  [
    'two facts with one reference',
    `UPDATE facts SET (namespace, reference) = (SELECT namespace, reference FROM facts WHERE tenant_id = TENANT
       AND (book_id, sequence) IN ${receiptFact}) WHERE tenant_id = TENANT AND (book_id, sequence) IN (SELECT book_id, sequence FROM facts
       WHERE tenant_id = TENANT AND kind = 'receipt_reported' ORDER BY book_id DESC, sequence DESC LIMIT 1)`,
    / receipts receipt-\S+: several facts have the same reference: expected 1, found 2$/,
  ],
  [
    'a fact without a book',
    `DELETE FROM books WHERE tenant_id = TENANT AND book_id = (SELECT min(book_id) FROM books WHERE tenant_id = TENANT AND book_id <> 't')`,
    /\/c\/client-\S+: a fact belongs to a book that does not exist$/,
  ],
  [
    'a book whose first fact is missing',
    `DELETE FROM facts WHERE tenant_id = TENANT AND sequence = 1 AND book_id =
      (SELECT min(book_id) FROM books WHERE tenant_id = TENANT AND book_id <> 't')`,
    /\/c\/client-\S+ 1: a fact is missing: found 2$/,
  ],
  [
    'a snapshot behind the end of its book',
    `UPDATE snapshots SET sequence = sequence + 100000
     WHERE tenant_id = TENANT AND book_id = (SELECT max(book_id) FROM snapshots WHERE tenant_id = TENANT)`,
    /: a snapshot contains more facts than its book: expected \d+, found \d+$/,
  ],
  ...[orphanRequest, orphanRequest.replace('019ac', 'ffff0')].map(
    (requestId) =>
      [
        `a request without a fact under the id ${requestId}`,
        `INSERT INTO request_evidence SELECT '${requestId}'::uuid, partition, tenant_id, method, target, ts, fp, signature, idempotency_key, body, body_encoding, actor, caller_request_id, received_at, fp_bytes
       FROM request_evidence WHERE tenant_id = TENANT AND body IS NOT NULL ORDER BY request_id LIMIT 1`,
        /^request \S+ in partition \d+: a stored request has no fact$/,
      ] as const,
  ),
  [
    'a request without its body',
    `UPDATE request_evidence SET body = NULL WHERE (request_id, partition) IN ${receiptRequest}`,
    /: its request has no body$/,
  ],
  [
    'a stored body without a request',
    `INSERT INTO request_bodies VALUES ('${orphanRequest}', 'x')`,
    /^request \S+: a stored body belongs to no request$/,
  ],
  [
    'a key with another scope than the registered one',
    `UPDATE keys SET scope = 'write' WHERE fp = (SELECT min(fp) FROM keys WHERE tenant_id = TENANT AND scope = 'read')`,
    / keys [0-9a-f]{32}: the row differs from the book of the Tenancy: expected .*"read".*, found .*"write"/,
  ],
  [
    'a changed product configuration',
    `UPDATE configurations SET "values" = '{}' WHERE tenant_id = TENANT AND configuration_id = 'ins-000001'`,
    / configurations ins-000001\/1: the row differs from the book of the Tenancy/,
  ],
];

describe('in the database', () => {
  test.each(corruptions)('%s is found', async (_what, statement, finding) => {
    expect(await findingsAfter(statement)).toContainEqual(expect.stringMatching(finding));
  });
});

test('a partition that the database lacks is found by its facts', async () => {
  const statement = `DELETE FROM partitions WHERE partition = (SELECT max(partition) FROM ${receiptRequest} AS its)`;
  const finding = /^partition \d+: the partition has facts and is missing in its table$/;
  expect(await findingsAfter(statement, 'partition')).toContainEqual(expect.stringMatching(finding));
});

test('a snapshot changed in Redis is found', async () => {
  const [client] = activity.clients;
  const key = snapshotKey(activity.tenant.id, `c/${client}`);
  await activity.tenant.get(`/clients/${client}/payment-options?on=2026-05-01`);
  await eventually(async () => (await redis.exists(key)) === 1);
  const snapshot = String(await redis.hget(key, 'd'));
  await redis.hset(key, 'd', snapshot.replace(/"minor_units":\d+/, '"minor_units":7000001'));
  try {
    const finding = expect.stringMatching(
      /: the snapshot in Redis differs from the fold of the facts: expected .*, found .*7000001/,
    );
    const database = databases.ofBook({ tenantId: activity.tenant.id, bookId: `c/${client}` });
    const { read } = new ShortSnapshots(database);
    const { findings } = await auditStored(read, options(database), new ResolvedData(databases));
    expect(ownFindings(findings.listed)).toContainEqual(finding);
  } finally {
    await redis.hset(key, 'd', snapshot);
  }
});

describe('an audit with a state', () => {
  let stateFolder: string;
  beforeAll(() => {
    stateFolder = mkdtempSync(join(tmpdir(), 'audit-state-'));
  });
  afterAll(() => rmSync(stateFolder, { recursive: true, force: true }));

  /** Ends after so many parts of partitions, as a killed process does: what is not in the folder is lost. */
  function auditUntilKilled(parts: number, others: Partial<AuditOptions> = {}): Promise<AuditResult> {
    let done = 0;
    const onProgress = (): void => {
      done += 1;
    };
    const pause = async (): Promise<void> => {
      if (done === parts) throw new Error('killed');
    };
    return audit({ ...options(), sizes, parallel: 1, stateFolder, onProgress, pause, ...others });
  }

  test('that is killed goes on where it was, and keeps what it had found', async () => {
    const whole = await audit(options());
    const { home } = owned.databases;
    const { rows } = await home.query('SELECT partition FROM facts WHERE tenant_id = $1 AND feed_number = 1', [
      activity.tenant.id,
    ]);
    const setKind = (kind: string) =>
      home.query('UPDATE feed SET kind = $2 WHERE tenant_id = $1 AND number = 1', [activity.tenant.id, kind]);
    await setKind('ceded');
    try {
      await audit({ ...options(), sizes, stateFolder, partitions: [rows[0].partition] });
    } finally {
      await setKind('issued');
    }
    expect(readdirSync(stateFolder)).toContain('start.json');
    await expect(auditUntilKilled(6)).rejects.toThrow('killed');
    await expect(auditUntilKilled(3)).rejects.toThrow('killed');
    const resumed = await audit({ ...options(), sizes, stateFolder });
    const { books, facts, redecided, events, movements } = whole;
    expect(resumed).toMatchObject({ books, facts, redecided, events, movements });
    expect(ownFindings(resumed.findings)).toEqual([
      expect.stringMatching(/ feed 1: an entry of the feed differs from its fact/),
    ]);
    expect(readdirSync(stateFolder)).toEqual([]);
  });

  test('is not continued on a database that was set back', async () => {
    await expect(auditUntilKilled(2)).rejects.toThrow('killed');
    const file = join(stateFolder, 'start.json');
    const start = JSON.parse(readFileSync(file, 'utf8')) as AuditStart;
    const [partition] = Object.entries(start.partitions).find(([, { lastEvent }]) => lastEvent > 0) ?? ['0'];
    const changed = { ...start.partitions, [partition]: { ...start.partitions[partition], lastFact: 'another/0' } };
    writeFileSync(file, JSON.stringify({ ...start, partitions: changed }));
    await expect(audit({ ...options(), stateFolder })).rejects.toThrow(/cannot be continued: event \d+ of partition/);
    rmSync(stateFolder, { recursive: true });
  });

  test('by partitions in several processes, with a last one for the rest, finds what one process finds', async () => {
    const whole = await audit(options());
    const ofHome = allPartitions.filter((each) => databases.ofPartition(each) === databases.home);
    const shares = [ofHome.slice(0, 5), ofHome.slice(5)];
    await Promise.all(shares.map((partitions) => audit({ ...options(), sizes, stateFolder, partitions })));
    const rest = await audit({ ...options(), stateFolder });
    const { books, facts, redecided, signatures, events, movements } = whole;
    expect(rest).toMatchObject({ books, facts, redecided, signatures, events, movements });
    expect(ownFindings(rest.findings)).toEqual([]);
  });

  test('does not begin with a partition that the cell lacks', async () => {
    const refused = `the cell has no partition ${partitionCount}: expected 0 to ${partitionCount - 1}`;
    await expect(audit({ ...options(), stateFolder, partitions: [0, partitionCount] })).rejects.toThrow(refused);
    expect(readdirSync(stateFolder)).toEqual([]);
  });
});

test('writes between two parts of an audit are no findings', async () => {
  let parts = 0;
  let writtenAfter = 0;
  const onProgress = (): void => {
    parts += 1;
  };
  const pause = async (): Promise<void> => {
    if (parts % 10 !== 0 || parts > 50 || parts === writtenAfter) return;
    writtenAfter = parts;
    await activity.run(4);
    // A key that the audit has not seen when it read the keys.
    const signer = await activity.tenant.mint('write');
    const receipt = {
      reference: `receipt-signed-with-new-key-${parts}`,
      client_id: activity.clients[0],
      amount: { minor_units: 1_00, currency: 'MXN' },
      value_date: '2026-03-15',
    };
    expect((await activity.tenant.post('/receipts', receipt, { signer })).status).toBe(201);
  };
  const before = await audit(options());
  const result = await audit({ ...options(), sizes, parallel: 1, onProgress, pause });
  expect(writtenAfter).toBeGreaterThanOrEqual(20);
  expect(ownFindings(result.findings)).toEqual([]);
  expect(result.facts).toBe(before.facts);
});

type NumericEvent = BookEvent<number>;

/** Audits a copy of the topic in which `change` may replace the Receipts of one Client. */
async function findingsInCopy(
  change: (event: NumericEvent, receiptNumber: number) => readonly NumericEvent[],
): Promise<string[]> {
  const database = databases.ofBook({ tenantId: activity.tenant.id, bookId: `c/${busyClient}` });
  const { kafka, schemaRegistryUrl } = options(database);
  const codec = await AvroCodec.open<NumericEvent>(new SchemaRegistry(schemaRegistryUrl), {
    ...bookEventSchema,
    exactLongs: false,
  });
  const topic = `audited-${randomUUID()}`;
  const configEntries = [...(topicSettings[topics.bookEvents] ?? [])];
  const admin = kafka.admin();
  await admin.connect();
  // Not waitForLeaders: the driver gives up if the broker does not know the topic yet.
  await admin.createTopics({
    waitForLeaders: false,
    topics: [{ topic, numPartitions: partitionCount, configEntries }],
  });
  await eventually(async () => (await topicOffsets(kafka, topic).catch(() => new Map())).size === partitionCount);
  const writer = await TopicWriter.open(kafka);
  const audited = allPartitions.filter((partition) => databases.ofPartition(partition) === database);
  const lastEvents = new Map(audited.map((partition) => [partition, 0]));
  let receiptCount = 0;
  await readTopic({
    kafka,
    topic: topics.bookEvents,
    logger: silentLogger,
    async onRecords(partition, records) {
      const copies = records.flatMap(({ value }) => {
        const event = codec.decode(value as Buffer) as NumericEvent;
        if (lastEvents.has(partition)) lastEvents.set(partition, event.sequence);
        // A Client with many Receipts: the fifth is not the last event of its partition.
        const isOfClient = event.tenant_id === activity.tenant.id && event.book_id === `c/${busyClient}`;
        if (!isOfClient || event.kind !== 'receipt_reported') return [event];
        receiptCount += 1;
        return change(event, receiptCount);
      });
      const written = copies.map((event) => writer.append({ topic, partition, key: '', value: codec.encode(event) }));
      await Promise.all(written);
    },
  });
  const findings = new Findings(100);
  const events = await AvroCodec.open<BookEvent, BookEvent<number>>(
    new SchemaRegistry(schemaRegistryUrl),
    bookEventSchema,
  );
  const { read: readSnapshot } = new ShortSnapshots(database);
  await auditTopic({ kafka, topic, codec: events, logger: silentLogger, readSnapshot, findings, lastEvents });
  await writer.close();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  return findings.listed.map(formatFinding);
}

const changeFifth =
  (replace: (event: NumericEvent) => readonly NumericEvent[]) => (event: NumericEvent, receiptNumber: number) =>
    receiptNumber === 5 ? replace(event) : [event];

const otherAmount = /body of \S+\/c\/client-\S+ \d+ differs between database and topic: expected .*, found .*7000001/;

function withOtherAmount(event: NumericEvent): NumericEvent {
  return { ...event, body: event.body.replace(/"minor_units":\d+/, '"minor_units":7000001') };
}

function withOtherSignature(evidence: NumericEvent['evidence']): NumericEvent['evidence'] {
  if (evidence === null || !('lending.Evidence' in evidence)) return { 'lending.EvidenceAt': { sequence: 1 } };
  return { 'lending.Evidence': { ...evidence['lending.Evidence'], signature: Buffer.alloc(64) } };
}

describe('in the topic', () => {
  test('an unchanged copy has no findings', async () => {
    expect(await findingsInCopy((event) => [event])).toEqual([]);
  });

  test('a repeated event, which consumers drop, is counted and no finding', async () => {
    const lines = await findingsInCopy(changeFifth((event) => [event, event]));
    expect(lines).toEqual([]);
  });

  test.each<[string, (event: NumericEvent) => readonly NumericEvent[], RegExp]>([
    ['a missing event', () => [], /partition \d+ \d+: an event is missing: found \d+$/],
    ['an amount changed in an event', (event) => [withOtherAmount(event)], otherAmount],
    ['an amount changed in a repeated event', (event) => [event, withOtherAmount(event)], otherAmount],
    [
      'another signature',
      (event) => [{ ...event, evidence: withOtherSignature(event.evidence) }],
      /evidence of \S+\/c\/client-\S+ \d+ differs between database and topic/,
    ],
  ])('%s is found', async (_what, replace, finding) => {
    expect(await findingsInCopy(changeFifth(replace))).toEqual([expect.stringMatching(finding)]);
  });
});
