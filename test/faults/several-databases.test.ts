/**
 * A cell whose partitions are on several databases, with one Tenancy on all of them. Needs a stack of that kind:
 * `npm run test:databases`.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { killService, startService } from '#deploy/dev/services.ts';
import { auditCell } from '#libs/cli/audit.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { restoreReservations } from '#libs/database/reserved-references.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import type { Readiness } from '#libs/runtime/health.ts';
import { Random } from '#libs/runtime/random.ts';
import { auditReservations } from '#libs/verify/audit/audit-reservations.ts';
import { ConsoleVisitor } from '#test/browser/console-visitor.ts';
import { hasSeveralDatabases } from '#test/stack/database-count.ts';
import { addConsolePerson, openConsoleSession } from '#test/support/console-person.ts';
import { FeedStream } from '#test/support/feed-stream.ts';
import { type Lender, pesos, receiptBody, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { eventually, type TestEnvironment, type TestResponse, testEnvironment } from '#test/support/tenant.ts';
import { walkListing } from '#test/support/walk-listing.ts';
import { PlacedCell } from './placed-cell.ts';
import { Workload } from './workload.ts';

const describeSeveral = hasSeveralDatabases ? describe : describe.skip;

let here: TestEnvironment;
let cell: PlacedCell;
let databases: PartitionDatabases;
let lender: Lender;
const random = new Random(Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000));

beforeAll(async () => {
  if (!hasSeveralDatabases) return;
  here = testEnvironment();
  cell = await PlacedCell.open(here);
  databases = cell.databases;
  lender = await cell.openLenderOn(0);
}, 120_000);

afterAll(async () => {
  await lender?.close();
  await cell?.close();
});

const clientOn = (index: number): Promise<string> => cell.clientOn(lender, index);

/** Signed in to the console. */
async function openOperator(): Promise<ConsoleVisitor> {
  const email = `${uniqueReference('person')}@lender.example`;
  const signedUp = { email, as: 'operator', password: 'some words for tests' } as const;
  const person = await addConsolePerson(databases, signedUp);
  return new ConsoleVisitor({ session: await openConsoleSession(databases.home, person) });
}

/** All rows of a listing, by pages of this many. */
const walk = <Row>(path: string, name: string, limit: number): Promise<Row[]> =>
  walkListing<Row>(lender.tenant, path, name, limit);

/** The feed ends where the cursor does not change. */
async function walkFeed(
  limit: number,
): Promise<{ readonly id: string; readonly loan_id: string; readonly kind: string }[]> {
  const events: { id: string; loan_id: string; kind: string }[] = [];
  for (let cursor: string | undefined; ; ) {
    const after: string = cursor === undefined ? '' : `&cursor=${cursor}`;
    const page = requireStatus(await lender.tenant.get(`/loan-events?limit=${limit}${after}`), 200).body;
    events.push(...page.events);
    if (page.events.length === 0) return events;
    cursor = page.cursor;
  }
}

describeSeveral('a Tenancy on several databases', () => {
  test('its listings have the rows of all databases, newest first, whatever the size of the pages', async () => {
    const loans: string[] = [];
    const clients: string[] = [];
    for (const index of [0, 1, 1, 0, 1]) {
      const client = await clientOn(index);
      clients.unshift(client);
      loans.unshift((await lender.loan(client)).id);
    }
    for (const limit of [1, 2, 3, 200]) {
      const listed = await walk<{ id: string }>('/loans?', 'loans', limit);
      expect(listed.map(({ id }) => id).slice(0, loans.length)).toEqual(loans);
      const registered = await walk<{ client_id: string }>('/clients?', 'clients', limit);
      expect(registered.map(({ client_id }) => client_id).slice(0, clients.length)).toEqual(clients);
      const due = await walk<{ client_id: string }>('/dues?on=2026-06-01&', 'clients', limit);
      expect(due.map(({ client_id }) => client_id)).toEqual([...clients].sort());
    }
  });

  test('its feed has every event once, in the order of each Loan, by pages and as a stream', async () => {
    const stream = await FeedStream.open(lender.tenant);
    const [home, other] = [await clientOn(0), await clientOn(1)];
    const loans = [(await lender.loan(home)).id, (await lender.loan(other)).id];
    for (const loan of [...loans, ...loans])
      await lender
        .act(loan, 'fees', { on: '2026-02-01', amount: pesos(100), name: 'visit', tax: pesos(0) })
        .catch(() => undefined);
    const whole = await walkFeed(200);
    const ids = whole.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const loan of loans) expect(whole.find(({ loan_id }) => loan_id === loan)?.kind).toBe('issued');
    for (const limit of [1, 3]) expect((await walkFeed(limit)).map(({ id }) => id).sort()).toEqual([...ids].sort());
    await eventually(() => stream.events.length >= ids.length);
    stream.close();
    expect(stream.events.map(({ data }) => JSON.parse(data).id).sort()).toEqual([...ids].sort());
    // A cursor of the stream continues in pages.
    const last = stream.events.at(-1)?.id;
    expect(requireStatus(await lender.tenant.get(`/loan-events?cursor=${last}`), 200).body.events).toEqual([]);
  });

  test('evidence of a fact whose key is on another database is complete', async () => {
    const client = await clientOn(1);
    await lender.loan(client);
    const reference = uniqueReference('proven');
    await lender.pay(client, 1_000, '2026-02-15', { reference });
    const evidence = requireStatus(await lender.tenant.get(`/receipts/${reference}/evidence`), 200).body;
    expect(evidence.facts).toHaveLength(1);
  });
});

describeSeveral('a reference', () => {
  test('is recorded by one of two Clients on different databases, and refused to the other, while processors are killed', async () => {
    const clients = [await clientOn(0), await clientOn(1)];
    for (const client of clients) await lender.loan(client);
    const outcomes: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const reference = uniqueReference('contested');
      const deciding = Promise.all(clients.map((client) => untilDecided(client, reference)));
      await setTimeout(random.integer(0, 300));
      await killService(here.services, 'processor');
      await startService(here.services, 'processor');
      const answers = await deciding;
      const statuses = answers.map(({ status }) => status);
      const winner = clients[statuses.findIndex((status) => status !== 409)] as string;
      expect(await cell.recordedIn(lender.tenant.id, reference)).toEqual([clientBookId(winner)]);
      outcomes.push(statuses.toSorted().join(' '));
    }
    for (const outcome of outcomes) expect(['200 409', '201 409']).toContain(outcome);
  }, 300_000);

  test('of a Loan is found by the search of the console, whichever database has it', async () => {
    const visitor = await openOperator();
    const tenancy = `/tenancies/${lender.tenant.id}`;
    for (const index of [0, 1]) {
      const reference = uniqueReference('searched');
      const { id } = await lender.loan(await clientOn(index), { reference });
      const { status, headers } = await visitor.get(`${tenancy}/clients?q=${reference}`);
      expect([status, headers['location']]).toEqual([303, `${tenancy}/loans/${id}`]);
    }
  });

  test('that a submission reserved and did not record is free again', async () => {
    const [home, other] = [await clientOn(0), await clientOn(1)];
    await lender.loan(other);
    const reference = uniqueReference('left');
    // Refused for its date: nothing is recorded under the reference.
    const bookId = clientBookId(home);
    const key = { tenantId: lender.tenant.id, bookId };
    const owner = databases.ofBook(key);
    const { rows } = await owner.query('SELECT partition FROM books WHERE tenant_id = $1 AND book_id = $2', [
      key.tenantId,
      bookId,
    ]);
    await databases.home.query(
      `INSERT INTO reserved_references VALUES ($1, substr(sha256(convert_to('receipts' || chr(10) || $2, 'UTF8')), 1, 16), $3, $4, 0)`,
      [key.tenantId, reference, bookId, rows[0].partition],
    );
    requireStatus(await lender.tenant.post('/receipts', receiptBody(other, 1_000, '2026-02-15', { reference })), 201);
    const refused = await lender.tenant.post('/receipts', receiptBody(home, 1_000, '2026-02-15', { reference }));
    expect(refused.status).toBe(409);
  });
});

/** What the gateway works without while it is ready. */
async function degraded(): Promise<string[]> {
  const response = await fetch(`${here.services.baseUrl}/readyz`);
  expect(response.status).toBe(200);
  const readiness = (await response.json()) as Readiness;
  return readiness.degraded.map(({ name }) => name);
}

describeSeveral('a database that is down', () => {
  test('stops its own Clients only, which go on when it is back', async () => {
    const [home, other] = [await clientOn(0), await clientOn(1)];
    for (const client of [home, other]) await lender.loan(client);
    const recordedThere = uniqueReference('there');
    await lender.pay(other, 1_000, '2026-02-15', { reference: recordedThere });
    const server = new pg.Client({ connectionString: here.stack.databaseUrl });
    await server.connect();
    const [url] = [...(here.stack.partitionDatabaseUrls ?? new Map<string, string>()).values()];
    const name = new URL(url as string).pathname.slice(1);
    const operator = await openOperator();
    const isSilent = async (): Promise<boolean> => {
      const { status, text } = await operator.get('/health');
      expect(status).toBe(200);
      return text.includes(`The database ${databases.nameOf(databases.all[1] as pg.Pool)} does not answer`);
    };
    expect(await isSilent()).toBe(false);
    try {
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      await eventually(
        async () => (await lender.tenant.get(`/clients/${other}/payment-options?on=2026-03-01`)).status === 503,
      );
      expect((await lender.tenant.post('/receipts', receiptBody(other, 1_000, '2026-02-15'))).status).toBe(503);
      for (let count = 0; count < 10; count += 1) {
        await lender.pay(home, 1_000, '2026-02-15');
        requireStatus(await lender.tenant.get(`/clients/${home}/payment-options?on=2026-03-01`), 200);
      }
      // A reference that only this database knows holds up no other submission.
      const receipts = [recordedThere, ...Array.from({ length: 20 }, () => uniqueReference('meanwhile'))].map(
        (reference) => lender.tenant.post('/receipts', { ...receiptBody(home, 1_000, '2026-02-15'), reference }),
      );
      const [unknown, ...meanwhile] = await Promise.all(receipts);
      expect([409, 503]).toContain(unknown?.status);
      expect(new Set(meanwhile.map(({ status }) => status))).toEqual(new Set([201]));
      expect((await lender.tenant.get('/loans')).status).toBe(503);
      expect(await isSilent()).toBe(true);
      await eventually(async () =>
        (await degraded()).includes(`postgres ${databases.nameOf(databases.all[1] as pg.Pool)}`),
      );
      // A processor that starts meanwhile serves the other databases.
      await killService(here.services, 'processor');
      await startService(here.services, 'processor');
      await eventually(
        async () => (await lender.tenant.post('/receipts', receiptBody(home, 1_000, '2026-02-15'))).status === 201,
      );
    } finally {
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await server.end();
    }
    await eventually(
      async () => (await lender.tenant.post('/receipts', receiptBody(other, 1_000, '2026-02-15'))).status === 201,
    );
    requireStatus(await lender.tenant.get('/loans'), 200);
    await eventually(async () => !(await isSilent()));
  }, 240_000);
});

describeSeveral('writes of all kinds', () => {
  test('are recorded once while the processor is killed', async () => {
    const workload = new Workload({
      tenant: lender.tenant,
      seed: Date.now() % 1_000_000,
      clients: 12,
      workers: 12,
      kind: 'everything',
    });
    await workload.prepare();
    workload.start();
    const acknowledged = (more: number): Promise<void> => {
      const from = workload.acknowledged.size;
      return eventually(() => workload.acknowledged.size >= from + more, 120_000);
    };
    for (let kill = 0; kill < 3; kill += 1) {
      await acknowledged(30);
      await killService(here.services, 'processor');
      await startService(here.services, 'processor');
    }
    await acknowledged(30);
    await workload.stop();
    expect(workload.unexpected).toEqual([]);
    const references = [...workload.acknowledged.keys()];
    const found = await databases.readAll(async (database) => {
      const text = 'SELECT reference, book_id FROM recorded_references WHERE tenant_id = $1 AND reference = ANY ($2)';
      return (await database.query(text, [lender.tenant.id, references])).rows as {
        reference: string;
        book_id: string;
      }[];
    });
    const recorded = found.flat();
    expect(recorded.map(({ reference }) => reference).sort()).toEqual([...references].sort());
    // Each database has the books of its own partitions only.
    for (const [index, rows] of found.entries())
      for (const { book_id } of rows)
        expect(databases.ofBook({ tenantId: lender.tenant.id, bookId: book_id })).toBe(databases.all[index]);
    expect(found.every((rows) => rows.length > 0)).toBe(true);
  }, 300_000);
});

describeSeveral('the audit', () => {
  test('finds a reference that is reserved for another book, or for none', async () => {
    const [one, other] = [uniqueReference('moved'), uniqueReference('unreserved')];
    for (const [index, reference] of [one, other].entries()) {
      const client = await clientOn(index);
      await lender.loan(client);
      await lender.pay(client, 1_000, '2026-02-15', { reference });
    }
    expect((await auditReservations(databases, 10)).listed).toEqual([]);
    const nameHash = "substr(sha256(convert_to('receipts' || chr(10) || $2, 'UTF8')), 1, 16)";
    const change = (text: string, reference: string) =>
      databases.home.query(`${text} WHERE tenant_id = $1 AND name_hash = ${nameHash}`, [lender.tenant.id, reference]);
    await change("UPDATE reserved_references SET book_id = 'c/other'", one);
    await change("UPDATE reserved_references SET name_hash = '\\x00'", other);
    expect((await auditReservations(databases, 10)).listed).toEqual([
      expect.objectContaining({ where: `${lender.tenant.id} receipts ${one}`, found: 'c/other' }),
      expect.objectContaining({ where: `${lender.tenant.id} receipts ${other}`, found: null }),
    ]);
    for (const database of databases.all) await restoreReservations(databases.home, database, 0);
    expect((await auditReservations(databases, 10)).listed).toEqual([]);
  });

  test('covers all databases and the topics, and finds nothing', async () => {
    const lines: string[] = [];
    const options = { maxFindings: 20, skipSubmissionTopic: false };
    const addresses = { ...here.stack, databaseUrl: here.stack.servicesDatabaseUrl };
    const { isClean, findings, books } = await auditCell(addresses, options, (line) => lines.push(line));
    expect(findings).toEqual([]);
    expect(isClean).toBe(true);
    const stored = await databases.readAll(
      async (database) => (await database.query('SELECT count(*) FROM books')).rows,
    );
    expect(books).toBe(stored.flat().reduce((sum, { count }) => sum + Number(count), 0));
  }, 240_000);
});

async function untilDecided(client: string, reference: string): Promise<TestResponse> {
  return untilAnswered(() => lender.tenant.post('/receipts', receiptBody(client, 1_000, '2026-02-15', { reference })));
}

/** Repeats what is unavailable or contended. */
async function untilAnswered(send: () => Promise<TestResponse>): Promise<TestResponse> {
  let answer: TestResponse | undefined;
  await eventually(async () => {
    const response = await send().catch(() => undefined);
    if (response === undefined || response.body?.retry === 'as_is') return false;
    answer = response;
    return true;
  });
  return answer as TestResponse;
}
