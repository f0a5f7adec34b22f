/** A partition moves to another database of the cell and back while its Clients pay. Needs a stack with several: `npm run test:databases`. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { killService, startService } from '#deploy/dev/services.ts';
import { auditCell } from '#libs/cli/audit.ts';
import { listPartitions, movePartitionOfCell } from '#libs/cli/partitions.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { decodeVerdicts, verdictChannel } from '#libs/database/verdict-delivery.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { findLeftRows, type LeftRows, removeMoved } from '#libs/verify/move/remove-moved.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { hasSeveralDatabases } from '#test/stack/database-count.ts';
import { type Lender, receiptBody, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { allPartitions, partitionOf } from '#test/support/partitions.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { writeUndecodable } from '#test/support/undecodable-record.ts';
import { walkListing } from '#test/support/walk-listing.ts';
import { PlacedCell } from './placed-cell.ts';

const describeSeveral = hasSeveralDatabases ? describe : describe.skip;
const timeoutMs = 240_000;
const bounds = { concurrent: 100, patience_ms: 2_000, per_second: 10_000, burst: 10_000 };
/** Every process has noticed the move. */
const keptMs = 2_000;

let here: TestEnvironment;
let cell: PlacedCell;
let lender: Lender;
/** That of the Tenancy's own book, with its keys and products, and Clients of it and of others. */
let partition: number;
let moved: readonly string[];
let others: readonly string[];
/** Newest first. */
const loans: string[] = [];
const clients: string[] = [];

beforeAll(async () => {
  if (!hasSeveralDatabases) return;
  here = testEnvironment();
  cell = await PlacedCell.open(here);
  lender = await cell.openLenderOn(1);
  partition = partitionOf(bookKey(lender.tenant.id, tenancyBookId));
  moved = await clientsOf((of) => of === partition, 4);
  others = await clientsOf((of) => of !== partition, 4);
  for (const client of [...moved, ...others, ...moved]) await issueLoan(client);
}, timeoutMs);

afterAll(async () => {
  await lender?.close();
  await cell?.close();
});

function newClientId(isWanted: (partition: number) => boolean): string {
  for (;;) {
    const id = uniqueReference('c');
    if (isWanted(partitionOf(bookKey(lender.tenant.id, clientBookId(id))))) return id;
  }
}

async function clientsOf(isWanted: (partition: number) => boolean, count: number): Promise<string[]> {
  const registered: string[] = [];
  while (registered.length < count) {
    const id = newClientId(isWanted);
    requireStatus(await lender.tenant.put(`/clients/${id}`, { actor: 'ana', basis: 'signed the contract' }), 201);
    registered.push(id);
    clients.unshift(id);
  }
  return registered;
}

async function issueLoan(client: string): Promise<void> {
  loans.unshift((await lender.loan(client)).id);
}

/** What is numbered after a move must not get a number that is taken. */
async function recordMore(): Promise<void> {
  const otherOn = (index: number) => (of: number) =>
    of !== partition && cell.databases.ofPartition(of) === cell.databases.all[index];
  for (const isWanted of [(of: number) => of === partition, otherOn(0), otherOn(1)]) {
    const [client] = (await clientsOf(isWanted, 1)) as [string];
    await issueLoan(client);
  }
}

/** That of the further database, and its name. */
function furtherDatabase(): { readonly name: string; readonly ownerUrl: string } {
  for (const [name, { ownerUrl }] of cell.here.stack.partitionDatabases ?? []) return { name, ownerUrl };
  throw new Error('the cell has one database');
}

/** Each Client pays again and again, and repeats a payment until it is answered. */
class Payments {
  readonly acknowledged = new Map<string, string>();
  readonly unexpected: string[] = [];
  /** What was answered before a repetition. */
  readonly repeated: string[] = [];
  /** Request ids of what was answered 503. */
  readonly unanswered: string[] = [];
  longestMs = 0;
  #isRunning = true;
  readonly #running = Promise.all([...moved, ...others].map((client) => this.#pay(client)));

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#running;
  }

  async #pay(client: string): Promise<void> {
    while (this.#isRunning) {
      const reference = uniqueReference('paid');
      const sentAt = performance.now();
      for (;;) {
        const body = { ...receiptBody(client, 100, '2026-02-15'), reference };
        const { status, body: answer, headers } = await lender.tenant.post('/receipts', body);
        if (status < 300) break;
        if (status === 503) this.unanswered.push(String(headers['request-id']));
        this.repeated.push(`${status} ${answer.code}`);
        if (answer.retry !== 'as_is') this.unexpected.push(`${status} ${answer.code}`);
        await sleep(50);
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - sentAt);
      this.acknowledged.set(reference, client);
      const read = await lender.tenant.get(`/receipts/${reference}`);
      if (read.status !== 200 && read.status !== 503) this.unexpected.push(`a read after the write: ${read.status}`);
    }
  }
}

const rethrow = (cause: unknown): never => {
  throw cause;
};

const walk = (path: string, name: string, limit: number): Promise<Readonly<Record<string, string>>[]> =>
  walkListing(lender.tenant, path, name, limit);

async function feedFrom(cursor: string | undefined, limit: number): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let after = cursor; ; ) {
    const from: string = after === undefined ? '' : `&cursor=${after}`;
    const page = requireStatus(await lender.tenant.get(`/loan-events?limit=${limit}${from}`), 200).body;
    ids.push(...page.events.map(({ id }: { id: string }) => id));
    if (page.events.length === 0) return { ids, cursor: page.cursor };
    after = page.cursor;
  }
}

async function expectNothingLost(payments: Payments): Promise<void> {
  expect(payments.unexpected).toEqual([]);
  for (const [reference, client] of payments.acknowledged) {
    expect(await cell.recordedIn(lender.tenant.id, reference)).toEqual([clientBookId(client)]);
    requireStatus(await lender.tenant.get(`/receipts/${reference}`), 200);
  }
  for (const limit of [1, 3, 200]) {
    expect((await walk('/loans?', 'loans', limit)).map(({ id }) => id)).toEqual(loans);
    expect((await walk('/clients?', 'clients', limit)).map(({ client_id }) => client_id)).toEqual(clients);
    const due = (await walk('/dues?on=2026-06-01&', 'clients', limit)).map(({ client_id }) => client_id);
    expect(due).toEqual([...clients].sort());
  }
  const [client] = moved as [string];
  const ofClient = await walk(`/loans?client_id=${client}&`, 'loans', 1);
  expect(ofClient).toHaveLength(2);
  const lines: string[] = [];
  const addresses = { ...here.stack, databaseUrl: here.stack.servicesDatabaseUrl };
  const audited = await auditCell(addresses, { maxFindings: 20, skipSubmissionTopic: false }, (line) =>
    lines.push(line),
  );
  expect(audited.findings).toEqual([]);
}

describeSeveral('a partition that is moved', () => {
  test.each([
    ['to the home database', 'home'],
    ['back, while the processor is killed', 'away'],
  ])(
    '%s loses nothing and repeats nothing',
    async (_what, direction) => {
      const before = await feedFrom(undefined, 3);
      const payments = new Payments();
      const acknowledged = payments.acknowledged.size;
      await eventually(() => payments.acknowledged.size > acknowledged + 20);
      const to = direction === 'home' ? 'home' : furtherDatabase().name;
      const moving = movePartitionOfCell(cell.here.stack, { partition, to, keptMs });
      if (direction !== 'home') {
        await sleep(200);
        await killService(here.services, 'processor');
        await startService(here.services, 'processor');
      }
      const { copiedFacts, stoppedMs } = await moving;
      // Keys and products have moved, too.
      await lender.tenant.administration.setBounds('ana', lender.tenant.id, bounds);
      await lender.createProduct('instalment');
      const then = payments.acknowledged.size;
      await eventually(() => payments.acknowledged.size > then + 20);
      await payments.stop();
      // What was sent while nothing was recorded is decided afterwards, some of it after its deadline.
      if (direction === 'home') expect(payments.repeated.filter((each) => each !== '409 contended')).toEqual([]);
      console.log(
        `moved ${copiedFacts} facts; stopped for ${stoppedMs.toFixed(0)} ms; a payment took at most ${payments.longestMs.toFixed(0)} ms`,
      );
      const placed = (await listPartitions(cell.here.stack)).find((each) => each.partition === partition);
      expect(placed).toEqual({ partition, database: to });
      // A cursor of the time before continues without an event that was read.
      expect((await feedFrom(before.cursor, 3)).ids).toEqual([]);
      expect((await feedFrom(undefined, 200)).ids.sort()).toEqual(before.ids.sort());
      await recordMore();
      expect((await feedFrom(before.cursor, 3)).ids).toHaveLength(3);
      await expectNothingLost(payments);
    },
    timeoutMs,
  );

  test(
    'leaves no submission undecided where all partitions are taken over again',
    async () => {
      const owner = openOwnerDatabase({ url: here.stack.databaseUrl, name: 'placement' }, servingSchema);
      const epochs = async (): Promise<number> =>
        Number((await owner.query('SELECT sum(epoch) FROM partitions')).rows[0].sum);
      const atHome = allPartitions.find(
        (each) => each !== partition && cell.databases.ofPartition(each) === cell.databases.home,
      );
      const redis = openRedis(here.stack.redisUrl, 'verdicts');
      const decided = new Set<string>();
      redis.on('pmessage', (_pattern, _channel, text) => {
        for (const { requestId } of decodeVerdicts(text, rethrow)) decided.add(requestId);
      });
      await once(redis, 'ready');
      await redis.psubscribe(verdictChannel('*'));
      const payments = new Payments();
      // Each changes what the processors know of the placement.
      for (let round = 0; round < 10; round += 1) {
        const before = await epochs();
        await owner.query(
          round % 2 === 0
            ? 'INSERT INTO partition_number_ranges (partition, number) VALUES ($1, 1)'
            : 'DELETE FROM partition_number_ranges WHERE partition = $1 AND number = 1',
          [atHome],
        );
        await eventually(async () => (await epochs()) > before);
        const then = payments.acknowledged.size;
        await eventually(() => payments.acknowledged.size > then + 10);
      }
      await payments.stop();
      await owner.end();
      // On a busy machine a verdict may come later than its request waits for it. A skipped submission has none.
      await eventually(() => payments.unanswered.every((requestId) => decided.has(requestId)));
      redis.disconnect();
      const late = ['409 contended', '503 unavailable'];
      expect(payments.repeated.filter((each) => !late.includes(each))).toEqual([]);
      await expectNothingLost(payments);
    },
    timeoutMs,
  );

  test(
    'is moved to its end by the same command after an interruption, and back although its rows were being removed',
    async () => {
      const { name, ownerUrl } = furtherDatabase();
      const interrupt = (): void => {
        throw new Error('interrupted');
      };
      await expect(
        movePartitionOfCell(cell.here.stack, { partition, to: 'home', onCopied: interrupt }),
      ).rejects.toThrow('interrupted');
      const payments = new Payments();
      await eventually(() => payments.acknowledged.size > 20);
      const print = (line: string): void => {
        if (line.includes('is on home')) interrupt();
      };
      await expect(movePartitionOfCell(cell.here.stack, { partition, to: 'home', print })).rejects.toThrow(
        'interrupted',
      );
      await sleep(keptMs);
      const database = openOwnerDatabase({ url: ownerUrl, name: 'removal' }, servingSchema);
      const left = (await findLeftRows({ database, name, number: 1 }, partition)) as LeftRows;
      await expect(removeMoved(left, interrupt)).rejects.toThrow('interrupted');
      await database.end();
      await recordMore();
      await movePartitionOfCell(cell.here.stack, { partition, to: name, keptMs });
      await expect(movePartitionOfCell(cell.here.stack, { partition, to: name, keptMs })).rejects.toThrow('already');
      await recordMore();
      await payments.stop();
      await expectNothingLost(payments);
    },
    timeoutMs,
  );

  test(
    'is taken back by a move to where it is',
    async () => {
      const { name } = furtherDatabase();
      let copies = 0;
      const interrupt = (): void => {
        copies += 1;
        if (copies === 2) throw new Error('interrupted');
      };
      await expect(
        movePartitionOfCell(cell.here.stack, { partition, to: 'home', onCopied: interrupt }),
      ).rejects.toThrow('interrupted');
      await movePartitionOfCell(cell.here.stack, { partition, to: name, keptMs });
      const payments = new Payments();
      await eventually(() => payments.acknowledged.size > 20);
      await payments.stop();
      await expectNothingLost(payments);
    },
    timeoutMs,
  );

  test(
    'keeps a book parked that has no fact, and its keys can be revoked',
    async () => {
      const parked = clientBookId(newClientId((of) => of === partition));
      await writeUndecodable(lender.tenant.id, parked);
      const isParkedIn = async (): Promise<boolean[]> => {
        const text = 'SELECT FROM books WHERE parked AND tenant_id = $1 AND book_id = $2';
        const found = await cell.databases.readAll((database) => database.query(text, [lender.tenant.id, parked]));
        return found.map(({ rows }) => rows.length > 0);
      };
      await eventually(async () => (await isParkedIn()).includes(true));
      const signer = await lender.tenant.mint('write');
      await eventually(async () => (await lender.tenant.get('/bounds', { signer })).status === 200);
      await movePartitionOfCell(cell.here.stack, { partition, to: 'home', keptMs });
      expect(await isParkedIn()).toEqual([true, false]);
      const waiting = 'SELECT FROM parked_submissions WHERE tenant_id = $1 AND book_id = $2';
      expect((await cell.databases.home.query(waiting, [lender.tenant.id, parked])).rows).toHaveLength(1);
      await lender.tenant.administration.revokeKey('test', lender.tenant.id, signer.fp);
      await eventually(async () => (await lender.tenant.get('/bounds', { signer })).status === 401);
      // In the database that had the highest revisions of keys before.
      await movePartitionOfCell(cell.here.stack, { partition, to: furtherDatabase().name, keptMs });
      const second = await lender.tenant.mint('write');
      await eventually(async () => (await lender.tenant.get('/bounds', { signer: second })).status === 200);
      await lender.tenant.administration.revokeKey('test', lender.tenant.id, second.fp);
      await eventually(async () => (await lender.tenant.get('/bounds', { signer: second })).status === 401);
    },
    timeoutMs,
  );
});
