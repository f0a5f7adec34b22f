/** A book that waits for a person, and goes on when that person says so. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase, query } from '#libs/database/database.ts';
import { bookKey, partitionOf } from '#libs/kafka/book-key.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { administering } from '#test/integration/command-line/lending.ts';
import { everyPage, Lender } from '#test/integration/reads/lender.ts';
import { eventually, house } from './tenant.ts';

let lender: Lender;
let database: Database;
let client: string;
beforeAll(async () => {
  lender = await Lender.open(house());
  database = openDatabase({ url: house().stack.databaseUrl, name: 'parked', connections: 1 });
});
afterAll(async () => {
  await lender.tenant.close();
  await database.end();
});

function receipt(nth: number): object {
  const amount = { minor_units: 100 * nth, currency: 'MXN' };
  return { reference: `${client}-${nth}`, client_id: client, amount, value_date: '2026-03-01' };
}

/** A record nobody can read, in the name of the Client's book. */
async function poison(): Promise<void> {
  const key = bookKey(lender.tenant.id, `c/${client}`);
  const writer = await LogWriter.open(connectKafka(house().stack.kafkaBrokers, 'parked'));
  await writer.append({ topic: topics.submissions, partition: partitionOf(key), key, value: Buffer.from('no record') });
  await writer.close();
}

async function parkedNow(): Promise<
  { place: string; reference: string | null; operation: string | null; fault?: string }[]
> {
  const books = JSON.parse((await administering('book', 'parked', lender.tenant.id)).out);
  return books.find(({ book_id }: { book_id: string }) => book_id === `c/${client}`)?.submissions ?? [];
}

function release(...args: string[]) {
  return administering('book', 'release', lender.tenant.id, `c/${client}`, '--basis', 'looked at it', ...args);
}

async function recorded(): Promise<string[]> {
  const receipts = await everyPage(lender, `/clients/${client}/receipts`, 'receipts', 200);
  return receipts.map(({ reference }) => reference).reverse();
}

test('what waits with a parked book is decided in its order when a person releases it, but for what is dropped', async () => {
  client = await lender.client();
  await lender.tenant.post('/receipts', receipt(1));
  await poison();
  const batch = { receipts: [receipt(2), { ...receipt(3), amount: { minor_units: 5, currency: 'XXX' } }, receipt(4)] };
  const told = await lender.tenant.post('/receipts/batch', batch);
  expect(told.body.outcomes.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('internal_error'));
  // Its caller sends one of them again, as it may.
  expect((await lender.tenant.post('/receipts', receipt(2))).body.code).toBe('internal_error');
  expect(await recorded()).toEqual([`${client}-1`]);

  const waiting = await parkedNow();
  expect(waiting.map(({ operation, reference }) => [operation, reference])).toEqual([
    [null, null],
    ['reportReceipt', `${client}-2`],
    ['reportReceipt', `${client}-3`],
    ['reportReceipt', `${client}-4`],
  ]);
  expect(waiting[0]?.fault).toBeDefined();

  // What cannot be read cannot be decided: nothing behind it is.
  const again = await release();
  expect(again.code).toBe(1);
  expect(JSON.parse(again.out)).toMatchObject({ released: false, submissions: [{ came_to: 'parked' }] });
  expect(await parkedNow()).toEqual(waiting);

  const done = await release('--drop', String(waiting[0]?.place), '--actor', 'ana');
  expect(done.code).toBe(0);
  const { released, submissions } = JSON.parse(done.out);
  expect(released).toBe(true);
  expect(submissions.map(({ came_to }: { came_to: string }) => came_to)).toEqual([
    'dropped',
    'recorded',
    expect.stringMatching('recorded|refused'),
    'recorded',
  ]);
  expect(await parkedNow()).toEqual([]);
  const references = await recorded();
  expect(references.filter((reference) => reference !== `${client}-3`)).toEqual(
    [1, 2, 4].map((nth) => `${client}-${nth}`),
  );

  // As if it had never waited: its caller is answered by the record, and goes on.
  expect((await lender.tenant.post('/receipts', receipt(2))).status).toBe(200);
  expect((await lender.tenant.post('/receipts', receipt(5))).status).toBe(201);

  const facts = await query<{
    kind: string;
    sequence: number;
    body: { actor?: string; basis?: string; drop?: string[] };
  }>(
    database,
    'facts_of_parked',
    'SELECT kind, sequence, body FROM facts WHERE tenant_id = $1 AND book_id = $2 ORDER BY sequence',
    [lender.tenant.id, `c/${client}`],
  );
  expect(facts.map(({ sequence }) => sequence)).toEqual(facts.map((_, at) => at + 1));
  const [, second] = facts.filter(({ kind }) => kind === 'released');
  expect(second?.body).toEqual({ basis: 'looked at it', drop: [waiting[0]?.place], actor: 'ana' });
}, 120_000);

test('a release proves what it decided by the signed requests that waited', async () => {
  client = await lender.client();
  await poison();
  expect((await lender.tenant.post('/receipts', receipt(1))).status).toBe(500);
  const [first] = await parkedNow();
  expect((await release('--drop', String(first?.place))).code).toBe(0);
  await eventually(async () => (await lender.tenant.get(`/receipts/${client}-1`)).status === 200);
  const evidence = await lender.read(`/receipts/${client}-1/evidence`);
  expect(JSON.stringify(evidence)).toContain(lender.tenant.signer.fp);
}, 120_000);

test('whole batches that wait with a book are released by one command, a portion after the other', async () => {
  client = await lender.client();
  await poison();
  for (let batch = 0; batch < 3; batch += 1) {
    const receipts = Array.from({ length: 1_000 }, (_, nth) => ({
      ...receipt(1),
      reference: `${client}-${batch * 1_000 + nth}`,
    }));
    // Told or not, all of it waits.
    await lender.tenant.post('/receipts/batch', { receipts });
  }
  let waiting = await parkedNow();
  await eventually(async () => {
    waiting = await parkedNow();
    return waiting.length === 3_001;
  });
  const done = await release('--drop', String(waiting[0]?.place), '--drop', String(waiting[2_500]?.place));
  const { submissions, ...told } = JSON.parse(done.out);
  expect([done.code, told]).toEqual([0, { book_id: `c/${client}`, released: true, left: 0 }]);
  expect(submissions.map(({ place }: { place: string }) => place)).toEqual(waiting.map(({ place }) => place));
  const sent = waiting.map(({ reference }) => reference);
  expect(await recorded()).toEqual(sent.filter((_, nth) => nth !== 0 && nth !== 2_500));
  const evidence = await query<{ requests: number; releases: number }>(
    database,
    'requests_of_released',
    `SELECT count(DISTINCT request_id) AS requests, count(*) FILTER (WHERE kind = 'released') AS releases FROM facts
       WHERE tenant_id = $1 AND book_id = $2 AND kind <> 'registered'`,
    [lender.tenant.id, `c/${client}`],
  );
  expect(evidence[0]?.requests).toBe(3 + Number(evidence[0]?.releases));
  expect((await lender.tenant.post('/receipts', receipt(5_000))).status).toBe(201);
}, 120_000);

test('a book that is not parked is not released', async () => {
  client = await lender.client();
  expect(await release()).toMatchObject({ code: 1, err: expect.stringContaining('not_found') });
});
