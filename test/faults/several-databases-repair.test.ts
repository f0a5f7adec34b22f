/** Repairs of a cell whose partitions are on several databases. Needs a stack of that kind: `npm run test:databases`. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { killService, startService } from '#deploy/dev/services.ts';
import { auditCell } from '#libs/cli/audit.ts';
import { rebuildCell, rebuildLostDatabase, rebuildMovementsOfCell } from '#libs/cli/rebuild.ts';
import { checkTopicOfCell, reconcileCell, remakeTopicsOfCell, repairTopicOfCell } from '#libs/cli/repair.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { withAdmin } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { hasSeveralDatabases } from '#test/stack/database-count.ts';
import { type Lender, receiptBody, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { stopService } from '#test/support/service-process.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';
import { PlacedCell } from './placed-cell.ts';

const describeSeveral = hasSeveralDatabases ? describe : describe.skip;
const testTimeoutMs = 240_000;

let cell: PlacedCell;
let lender: Lender;
/** Connected to another database of the server, so that those of the cell can be copied. */
let server: pg.Client;
const copies: string[] = [];

beforeAll(async () => {
  if (!hasSeveralDatabases) return;
  cell = await PlacedCell.open(testEnvironment());
  lender = await cell.openLenderOn(0);
  server = new pg.Client({
    connectionString: Object.assign(new URL(cell.here.stack.databaseUrl), { pathname: '/template1' }).href,
  });
  await server.connect();
}, 120_000);

afterAll(async () => {
  for (const copy of copies) await server.query(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`);
  await server?.end();
  await lender?.close();
  await cell?.close();
});

/** A Client on this database, with a Loan. */
async function borrowerOn(index: number): Promise<string> {
  const client = await cell.clientOn(lender, index);
  await lender.loan(client);
  return client;
}

async function partitionOf(client: string): Promise<number> {
  const key = { tenantId: lender.tenant.id, bookId: clientBookId(client) };
  const text = 'SELECT partition FROM books WHERE tenant_id = $1 AND book_id = $2';
  const { rows } = await cell.databases.ofBook(key).query(text, [key.tenantId, key.bookId]);
  return Number(rows[0].partition);
}

const postReceipt = (client: string, reference: string) =>
  lender.tenant.post('/receipts', receiptBody(client, 1_000, '2026-02-15', { reference }));

const print = (): void => undefined;

async function isTopicComplete(): Promise<boolean> {
  const { partitions } = await checkTopicOfCell(cell.here.stack, print);
  return partitions.every(({ last, committed, firstMissing }) => last === committed && firstMissing === undefined);
}

async function findings(): Promise<readonly unknown[]> {
  const addresses = { ...cell.here.stack, databaseUrl: cell.here.stack.servicesDatabaseUrl };
  return (await auditCell(addresses, { maxFindings: 20, skipSubmissionTopic: false }, print)).findings;
}

async function stopServices(): Promise<void> {
  await stopService(cell.here.services, 'gateway');
  await stopService(cell.here.services, 'processor');
}

async function startServices(): Promise<void> {
  await startService(cell.here.services, 'processor');
  await startService(cell.here.services, 'gateway');
}

/** Of a Receipt. */
async function reserve(reference: string, client: string): Promise<void> {
  await cell.databases.home.query(
    `INSERT INTO reserved_references
       VALUES ($1, substr(sha256(convert_to('receipts' || chr(10) || $2, 'UTF8')), 1, 16), $3, $4, 0)`,
    [lender.tenant.id, reference, clientBookId(client), await partitionOf(client)],
  );
}

/** Other sessions of both are ended. The console of the stack connects again by itself. */
async function copyDatabase(source: string, target: string): Promise<void> {
  await server.query(`ALTER DATABASE "${source}" ALLOW_CONNECTIONS false`);
  await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1)', [
    [source, target],
  ]);
  await server.query(`DROP DATABASE IF EXISTS "${target}" WITH (FORCE)`);
  await server.query(`CREATE DATABASE "${target}" TEMPLATE "${source}"`);
  await server.query(`ALTER DATABASE "${source}" ALLOW_CONNECTIONS true`);
}

/** The services are started again. Returns what sets the database with this place back. */
async function backUp(index: number): Promise<() => Promise<void>> {
  const name = cell.databaseNames[index] as string;
  const copy = `backup_${randomUUID().slice(0, 8)}`;
  copies.push(copy);
  await stopServices();
  await copyDatabase(name, copy);
  await startServices();
  return () => copyDatabase(copy, name);
}

describeSeveral('the topic of events', () => {
  test(
    'is written again where events of a partition of any database are missing',
    async () => {
      const partitions: number[] = [];
      for (const index of cell.databases.all.keys()) partitions.push(await partitionOf(await borrowerOn(index)));
      await eventually(isTopicComplete);
      await withAdmin(connectKafka(cell.here.stack.kafkaBrokers, 'loss'), async (admin) => {
        await admin.fetchTopicOffsets(topics.bookEvents);
        const lost = partitions.map((partition) => ({ partition, offset: '1' }));
        await admin.deleteTopicRecords({ topic: topics.bookEvents, partitions: lost });
      });
      const { isWhole, damagedCount } = await checkTopicOfCell(cell.here.stack, print);
      expect([isWhole, damagedCount]).toEqual([false, partitions.length]);
      await repairTopicOfCell(cell.here.stack, partitions, print, () => undefined);
      await eventually(isTopicComplete);
      expect(await findings()).toEqual([]);
    },
    testTimeoutMs,
  );
});

describeSeveral('tables and movements', () => {
  test(
    'are built again in every database, while the services run',
    async () => {
      for (const index of cell.databases.all.keys()) await borrowerOn(index);
      await eventually(isTopicComplete);
      const { isReplaced, differences } = await rebuildCell(cell.here.stack, print);
      expect(differences).toEqual([]);
      expect(isReplaced).toBe(true);
      const { movements } = await rebuildMovementsOfCell({ ...cell.here.stack, onMovements: () => undefined }, print);
      const committed = await cell.databases.readAll((database) =>
        database.query('SELECT sum(next_event - 1)::bigint AS events FROM partitions'),
      );
      expect(movements).toBe(committed.reduce((sum, { rows }) => sum + Number(rows[0].events), 0));
      for (const index of cell.databases.all.keys())
        requireStatus(await postReceipt(await borrowerOn(index), uniqueReference('after')), 201);
      expect(await findings()).toEqual([]);
    },
    testTimeoutMs,
  );
});

describeSeveral('a database that was set back', () => {
  test.each([
    [0, 'the home database'],
    [1, 'another one'],
  ])(
    'gets its facts back (%i: %s), and no reference is recorded twice',
    async (index) => {
      const clients = [await borrowerOn(0), await borrowerOn(1)];
      const elsewhere = await cell.openLenderOn(1);
      const restore = await backUp(index);
      const references: string[] = [];
      for (const client of clients) {
        const reference = uniqueReference('later');
        await eventually(async () => (await postReceipt(client, reference)).status === 201);
        references.push(reference);
      }
      const origin = { channel: 'console' } as const;
      const subject = `${uniqueReference('person')}@lender.example`;
      const act = { act_id: newUuid(), action: 'role_changed', subject, before: 'admin', after: '', origin } as const;
      await elsewhere.tenant.administration.recordPersonAct('ana@lender.example', elsewhere.tenant.id, act);
      await elsewhere.close();
      await killService(cell.here.services, 'processor');
      await killService(cell.here.services, 'gateway');
      await restore();
      // As a submission of the first Client left it that was refused before the restored moment.
      if (index === 0) await reserve(references[1] as string, clients[0] as string);
      const { laterPersonActs } = await reconcileCell(cell.here.stack, print);
      // The rights of people are in the home database.
      if (index === 0)
        expect(laterPersonActs).toContainEqual(expect.objectContaining({ action: 'role_changed', subject }));
      await startServices();
      for (const [at, reference] of references.entries()) {
        const other = clients[1 - at] as string;
        await eventually(async () => (await postReceipt(other, reference)).status === 409);
        expect(await cell.recordedIn(lender.tenant.id, reference)).toEqual([clientBookId(clients[at] as string)]);
      }
      await eventually(isTopicComplete);
      expect(await findings()).toEqual([]);
    },
    testTimeoutMs,
  );
});

describeSeveral('topics that are lost', () => {
  test(
    'are made again, and every database continues',
    async () => {
      const clients = [await borrowerOn(0), await borrowerOn(1)];
      await eventually(isTopicComplete);
      await stopServices();
      const names = Object.values(topics);
      await withAdmin(connectKafka(cell.here.stack.kafkaBrokers, 'loss'), async (admin) => {
        await admin.deleteTopics({ topics: names });
        await eventually(async () => !(await admin.listTopics()).some((name) => names.some((lost) => lost === name)));
      });
      const { restarted } = await remakeTopicsOfCell(cell.here.stack, undefined, print);
      for (const client of clients) expect(restarted).toContain(await partitionOf(client));
      await startServices();
      for (const client of clients) {
        const reference = uniqueReference('after');
        await eventually(async () => (await postReceipt(client, reference)).status === 201);
      }
      await eventually(isTopicComplete);
    },
    testTimeoutMs,
  );
});

describeSeveral('a further database that is lost', () => {
  test(
    'is filled from the topics, and no reference is recorded twice',
    async () => {
      const clients = [await borrowerOn(0), await borrowerOn(1)] as const;
      const references = [uniqueReference('kept'), uniqueReference('kept')];
      for (const [at, reference] of references.entries())
        requireStatus(await postReceipt(clients[at] as string, reference), 201);
      await eventually(isTopicComplete);
      await stopServices();
      const [name] = [...(cell.here.stack.partitionDatabaseUrls ?? new Map<string, string>()).keys()];
      const database = cell.databaseNames[1] as string;
      await server.query(`DROP DATABASE "${database}" WITH (FORCE)`);
      await server.query(`CREATE DATABASE "${database}"`);
      await rebuildLostDatabase(cell.here.stack, name as string, print);
      await startServices();
      for (const [at, reference] of references.entries()) {
        const other = clients[1 - at] as string;
        await eventually(async () => (await postReceipt(other, reference)).status === 409);
        expect(await cell.recordedIn(lender.tenant.id, reference)).toEqual([clientBookId(clients[at] as string)]);
      }
      requireStatus(await postReceipt(clients[1], uniqueReference('after')), 201);
      await eventually(isTopicComplete);
      expect(await findings()).toEqual([]);
    },
    testTimeoutMs,
  );
});
