/** A release is one transaction: after a crash all waiting submissions are either recorded once or still waiting. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killService, startService } from '#deploy/dev/services.ts';
import { query } from '#libs/database/database.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { Random } from '#libs/runtime/random.ts';
import { auditFindings } from '#test/support/audit-findings.ts';
import { partitionOf } from '#test/support/partitions.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';
import { findViolations } from './invariants.ts';
import { registerWithRetries } from './workload.ts';

const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const killsPerRound = 2;
const waitingReceipts = 60;
const random = new Random(seed);

let here: TestEnvironment;
let tenant: Tenant;
let opened: OpenedDatabases;
beforeAll(async () => {
  here = testEnvironment();
  tenant = await Tenant.open(here);
  opened = await openTestDatabases(here, { name: 'releases' });
  console.log(`releases with seed ${seed}`);
});
afterAll(async () => {
  await tenant.close();
  await opened.close();
});

/** Parks the book of a new Client with Receipts waiting behind the record that cannot be decoded. */
async function parkBook(client: string): Promise<string[]> {
  await registerWithRetries(tenant, client);
  const key = bookKey(tenant.id, `c/${client}`);
  const writer = await TopicWriter.open(connectKafka(here.stack.kafkaBrokers, 'releases'));
  await writer.append({
    topic: topics.submissions,
    partition: partitionOf(key),
    key,
    value: Buffer.from('not a record'),
  });
  await writer.close();
  const receipts = Array.from({ length: waitingReceipts }, (_, index) => ({
    reference: `${client}-${index}`,
    client_id: client,
    amount: { minor_units: 100, currency: 'MXN' },
    value_date: '2026-03-01',
  }));
  await tenant.post('/receipts/batch', { receipts });
  await eventually(async () => (await waitingSubmissions(client)).length > waitingReceipts);
  return receipts.map(({ reference }) => reference);
}

async function waitingSubmissions(
  client: string,
): Promise<readonly { readonly place: string; readonly reference: string | null }[]> {
  const books = await tenant.administration.parkedBooks(tenant.id);
  return books.find(({ bookId }) => bookId === `c/${client}`)?.submissions ?? [];
}

async function recordedReferences(client: string): Promise<string[]> {
  const text = `SELECT reference FROM facts WHERE tenant_id = $1 AND book_id = $2 AND namespace = 'receipts' ORDER BY sequence`;
  const rows = await queryAll<{ reference: string }>(opened.databases, 'recorded', text, [tenant.id, `c/${client}`]);
  return rows.map(({ reference }) => reference);
}

/** Both counts in one statement, because the release may be committed between two. */
async function releaseState(client: string): Promise<string> {
  const text = `
    SELECT (SELECT count(*) FROM parked_submissions WHERE tenant_id = $1 AND book_id = $2) AS waiting,
      (SELECT count(*) FROM facts WHERE tenant_id = $1 AND book_id = $2 AND namespace = 'receipts') AS recorded`;
  const key = { tenantId: tenant.id, bookId: `c/${client}` };
  const database = opened.databases.ofBook(key);
  const [row] = await query<{ waiting: number; recorded: number }>(database, 'release_state', text, Object.values(key));
  return `${row?.waiting} waiting, ${row?.recorded} recorded`;
}

test(
  'a parked book is released completely or not at all when the processor is killed during the release',
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const client = `released-${round}`;
      const references = await parkBook(client);
      const [invalid] = await waitingSubmissions(client);
      const book = { tenantId: tenant.id, bookId: `c/${client}` };
      const release = () =>
        tenant.administration.releaseBook('ana', book, { basis: 'cause fixed', drop: [String(invalid?.place)] });
      for (let kill = 0; kill < killsPerRound; kill += 1) {
        const releasing = release().catch(() => undefined);
        await sleep(random.integer(0, 60));
        await killService(here.services, 'processor');
        await startService(here.services, 'processor');
        await releasing;
        expect([`${waitingReceipts + 1} waiting, 0 recorded`, `0 waiting, ${waitingReceipts} recorded`]).toContain(
          await releaseState(client),
        );
      }
      await eventually(async () => {
        await release().catch(() => undefined);
        return (await waitingSubmissions(client)).length === 0;
      });
      expect(await recordedReferences(client)).toEqual(references);
    }
    expect(await findViolations(here, tenant.id, new Map())).toEqual([]);
    // Each fact follows from the signed request that was waiting.
    expect(await auditFindings(here, tenant.id)).toEqual([]);
  },
  180_000 + 60_000 * rounds,
);
