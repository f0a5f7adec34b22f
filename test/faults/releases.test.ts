/** A parked book is released by one transaction: whatever happens to it, all of what waited is decided once, or still waits. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killService, startService } from '#deploy/start/house.ts';
import { type Database, openDatabase, query } from '#libs/database/database.ts';
import { bookKey, partitionOf } from '#libs/kafka/book-key.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { administeringWithin } from '#test/integration/command-line/lending.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';
import { findings } from './findings.ts';
import { seeded } from './lenders.ts';
import { registered } from './registered.ts';

const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const kills = 3;
const many = 60;
/**
 * All that the house holds by then is audited: of rounds as `npm run faults` has them, in whatever order the files come, a
 * hundred thousand facts and more, at 2,000 a second on a slow machine.
 */
const auditedWithinMs = 45_000 * rounds;
const random = seeded(seed);

let here: House;
let tenant: Tenant;
let database: Database;
beforeAll(async () => {
  here = house();
  tenant = await Tenant.open(here);
  database = openDatabase({ url: here.stack.databaseUrl, name: 'releases', connections: 1 });
  console.log(`releases with seed ${seed}`);
});
afterAll(async () => {
  await tenant.close();
  await database.end();
});

/** A book that cannot be read on, and so many receipts behind it, in their order. */
async function aParkedBook(client: string): Promise<string[]> {
  // A book that waits for a person wants a Client.
  await registered(tenant, client);
  const key = bookKey(tenant.id, `c/${client}`);
  const writer = await LogWriter.open(connectKafka(here.stack.kafkaBrokers, 'releases'));
  await writer.append({ topic: topics.submissions, partition: partitionOf(key), key, value: Buffer.from('no record') });
  await writer.close();
  const receipts = Array.from({ length: many }, (_, nth) => ({
    reference: `${client}-${nth}`,
    client_id: client,
    amount: { minor_units: 100, currency: 'MXN' },
    value_date: '2026-03-01',
  }));
  await tenant.post('/receipts/batch', { receipts });
  await eventually(async () => (await waiting(client)).length > many);
  return receipts.map(({ reference }) => reference);
}

async function waiting(
  client: string,
): Promise<readonly { readonly place: string; readonly reference: string | null }[]> {
  const books = await tenant.administration.parkedBooks(tenant.id);
  return books.find(({ bookId }) => bookId === `c/${client}`)?.submissions ?? [];
}

async function recorded(client: string): Promise<string[]> {
  const text = `SELECT reference FROM facts WHERE tenant_id = $1 AND book_id = $2 AND namespace = 'receipts' ORDER BY sequence`;
  const rows = await query<{ reference: string }>(database, 'recorded', text, [tenant.id, `c/${client}`]);
  return rows.map(({ reference }) => reference);
}

/** The release may come to its turn between two questions: one statement is one moment. */
async function atOneMoment(client: string): Promise<string> {
  const text = `
    SELECT (SELECT count(*) FROM parked WHERE tenant_id = $1 AND book_id = $2) AS waiting,
      (SELECT count(*) FROM facts WHERE tenant_id = $1 AND book_id = $2 AND namespace = 'receipts') AS recorded`;
  const [row] = await query<{ waiting: number; recorded: number }>(database, 'one_moment', text, [
    tenant.id,
    `c/${client}`,
  ]);
  return `${row?.waiting} wait, ${row?.recorded} recorded`;
}

test(
  'a processor killed while a book is released, and started again',
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const client = `released-${round}`;
      const sent = await aParkedBook(client);
      const [unreadable] = await waiting(client);
      const book = { tenantId: tenant.id, bookId: `c/${client}` };
      const release = () =>
        tenant.administration.releaseBook('ana', book, { basis: 'looked at it', drop: [String(unreadable?.place)] });
      for (let kill = 0; kill < kills; kill += 1) {
        const releasing = release().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
        await killService(here.services, 'processor');
        await startService(here.services, 'processor');
        await releasing;
        expect([`${many + 1} wait, 0 recorded`, `0 wait, ${many} recorded`]).toContain(await atOneMoment(client));
      }
      await eventually(async () => {
        await release().catch(() => undefined);
        return (await waiting(client)).length === 0;
      }, 45_000);
      expect(await recorded(client)).toEqual(sent);
    }
    expect(await findings(here, tenant.id, new Map())).toEqual([]);
    // Each fact follows from the request that waited, as it was signed.
    const audited = await administeringWithin(auditedWithinMs, 'audit', '--most', '1000');
    expect(audited.out.split('\n').filter((line) => line.includes(tenant.id))).toEqual([]);
    expect(audited.out).toContain('facts');
  },
  60_000 + 60_000 * rounds + auditedWithinMs,
);
