/** A partition moves to another database of the cell and back while its Clients pay. Needs a stack with several: `npm run test:databases`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { killService, startService } from '#deploy/dev/services.ts';
import { auditCell } from '#libs/cli/audit.ts';
import { listPartitions, movePartitionOfCell } from '#libs/cli/partitions.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import { type Lender, receiptBody, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { partitionOf } from '#test/support/partitions.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { walkListing } from '#test/support/walk-listing.ts';
import { hasSeveralDatabases, PlacedCell } from './placed-cell.ts';

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
let loans: readonly string[];

beforeAll(async () => {
  if (!hasSeveralDatabases) return;
  here = testEnvironment();
  cell = await PlacedCell.open(here);
  lender = await cell.openLenderOn(1);
  partition = partitionOf(bookKey(lender.tenant.id, tenancyBookId));
  moved = await clientsOf((of) => of === partition, 4);
  others = await clientsOf((of) => of !== partition, 4);
  const issued: string[] = [];
  for (const client of [...moved, ...others, ...moved]) issued.unshift((await lender.loan(client)).id);
  loans = issued;
}, timeoutMs);

afterAll(async () => {
  await lender?.close();
  await cell?.close();
});

async function clientsOf(isWanted: (partition: number) => boolean, count: number): Promise<string[]> {
  const clients: string[] = [];
  while (clients.length < count) {
    const id = uniqueReference('c');
    if (!isWanted(partitionOf(bookKey(lender.tenant.id, clientBookId(id))))) continue;
    requireStatus(await lender.tenant.put(`/clients/${id}`, { actor: 'ana', basis: 'signed the contract' }), 201);
    clients.push(id);
  }
  return clients;
}

/** Each Client pays again and again, and repeats a payment until it is answered. */
class Payments {
  readonly acknowledged = new Map<string, string>();
  readonly unexpected: string[] = [];
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
        const { status, body: answer } = await lender.tenant.post('/receipts', body);
        if (status < 300) break;
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
    const clients = (await walk('/clients?', 'clients', limit)).map(({ client_id }) => client_id);
    expect(clients).toEqual([...moved, ...others].reverse());
    const due = (await walk('/dues?on=2026-06-01&', 'clients', limit)).map(({ client_id }) => client_id);
    expect(due).toEqual([...moved, ...others].sort());
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
      const [name = ''] = [...(here.stack.partitionDatabaseUrls ?? new Map<string, string>()).keys()];
      const to = direction === 'home' ? 'home' : name;
      const moving = movePartitionOfCell(cell.addresses, { partition, to, keptMs });
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
      console.log(
        `moved ${copiedFacts} facts; stopped for ${stoppedMs.toFixed(0)} ms; a payment took at most ${payments.longestMs.toFixed(0)} ms`,
      );
      const placed = (await listPartitions(cell.addresses)).find((each) => each.partition === partition);
      expect(placed).toEqual({ partition, database: to });
      // A cursor of the time before continues without an event that was read.
      expect((await feedFrom(before.cursor, 3)).ids).toEqual([]);
      expect((await feedFrom(undefined, 200)).ids.sort()).toEqual(before.ids.sort());
      await expectNothingLost(payments);
    },
    timeoutMs,
  );

  test('is moved to its end by the same command after an interruption', async () => {
    const [name = ''] = [...(here.stack.partitionDatabaseUrls ?? new Map<string, string>()).keys()];
    const interrupt = (): void => {
      throw new Error('interrupted');
    };
    await expect(movePartitionOfCell(cell.addresses, { partition, to: 'home', onCopied: interrupt })).rejects.toThrow(
      'interrupted',
    );
    const payments = new Payments();
    await eventually(() => payments.acknowledged.size > 20);
    const print = (line: string): void => {
      if (line.includes('is on home')) throw new Error('interrupted at its end');
    };
    await expect(movePartitionOfCell(cell.addresses, { partition, to: 'home', print })).rejects.toThrow('at its end');
    await movePartitionOfCell(cell.addresses, { partition, to: 'home', keptMs });
    await expect(movePartitionOfCell(cell.addresses, { partition, to: 'home', keptMs })).rejects.toThrow('already');
    await movePartitionOfCell(cell.addresses, { partition, to: name, keptMs });
    await payments.stop();
    await expectNothingLost(payments);
  }, 240_000);
});
