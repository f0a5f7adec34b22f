/** A parked book, and its release by an operator. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { recordLater } from '#libs/people/unrecorded-acts.ts';
import { installationId } from '#libs/tenant/administration-acts.ts';
import { runAdminCommand } from '#test/support/cli-process.ts';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';
import { writeUndecodable } from '#test/support/undecodable-record.ts';

const markerText = `SELECT 1 FROM facts WHERE kind = 'person_act' AND body ->> 'subject' = $1`;

let lender: OneProductLender;
let opened: OpenedDatabases;
let databases: PartitionDatabases;
let client: string;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
  opened = await openTestDatabases(testEnvironment(), { name: 'parked', connections: 1 });
  ({ databases } = opened);
});
afterAll(async () => {
  await lender.tenant.close();
  await opened.close();
});

function receipt(index: number): object {
  const amount = { minor_units: 100 * index, currency: 'MXN' };
  return { reference: `${client}-${index}`, client_id: client, amount, value_date: '2026-03-01' };
}

async function waitingSubmissions(): Promise<
  { place: string; reference: string | null; operation: string | null; fault?: string }[]
> {
  const books = JSON.parse((await runAdminCommand('book', 'parked', lender.tenant.id)).out);
  return books.find(({ book_id }: { book_id: string }) => book_id === `c/${client}`)?.submissions ?? [];
}

function release(...args: string[]) {
  return runAdminCommand(
    'book',
    'release',
    lender.tenant.id,
    `c/${client}`,
    '--basis',
    'looked at it',
    '--yes',
    ...args,
  );
}

/** What the audit list of a Tenancy, or of the installation, shows of a book: who, and the state after each act. */
async function recordedReleases(recordedIn: string): Promise<{ actor: string; after: object; channel: string }[]> {
  const rows = await queryAll<{ body: { actor: string; after: string; origin: { channel: string } } }>(
    databases,
    'recorded_releases',
    `SELECT body FROM facts WHERE tenant_id = $1 AND book_id = 't' AND kind = 'person_act' AND body ->> 'subject' = $2
     ORDER BY sequence`,
    [recordedIn, `${lender.tenant.id}/c/${client}`],
  );
  return rows.map(({ body }) => ({
    actor: body.actor,
    after: JSON.parse(body.after),
    channel: body.origin.channel,
  }));
}

async function recorded(): Promise<string[]> {
  const receipts = await readAllPages(lender, `/clients/${client}/receipts`, 'receipts', 200);
  return receipts.map(({ reference }) => reference).reverse();
}

test('a release decides the waiting submissions of a parked book in order, except those it drops', async () => {
  client = await lender.client();
  await lender.tenant.post('/receipts', receipt(1));
  await writeUndecodable(lender.tenant.id, `c/${client}`);
  const batch = { receipts: [receipt(2), { ...receipt(3), amount: { minor_units: 5, currency: 'XXX' } }, receipt(4)] };
  const response = await lender.tenant.post('/receipts/batch', batch);
  expect(response.body.outcomes.map(({ code }: { code: string }) => code)).toEqual(Array(3).fill('internal_error'));
  // The caller repeats one of them.
  expect((await lender.tenant.post('/receipts', receipt(2))).body.code).toBe('internal_error');
  expect(await recorded()).toEqual([`${client}-1`]);

  const waiting = await waitingSubmissions();
  expect(waiting.map(({ operation, reference }) => [operation, reference])).toEqual([
    [null, null],
    ['reportReceipt', `${client}-2`],
    ['reportReceipt', `${client}-3`],
    ['reportReceipt', `${client}-4`],
  ]);
  expect(waiting[0]?.fault).toBeDefined();

  // An undecodable submission stops the release; nothing after it is decided.
  const again = await release();
  expect(again.code).toBe(1);
  expect(JSON.parse(again.out)).toMatchObject({ released: false, submissions: [{ came_to: 'parked' }] });
  expect(await waitingSubmissions()).toEqual(waiting);

  const result = await release('--drop', String(waiting[0]?.place), '--actor', 'ana');
  expect(result.code).toBe(0);
  const { released, submissions } = JSON.parse(result.out);
  expect(released).toBe(true);
  expect(submissions.map(({ came_to }: { came_to: string }) => came_to)).toEqual([
    'dropped',
    'recorded',
    expect.stringMatching('recorded|refused'),
    'recorded',
  ]);
  expect(await waitingSubmissions()).toEqual([]);
  const references = await recorded();
  expect(references.filter((reference) => reference !== `${client}-3`)).toEqual(
    [1, 2, 4].map((index) => `${client}-${index}`),
  );

  // The caller gets the record, and the book accepts new writes.
  expect((await lender.tenant.post('/receipts', receipt(2))).status).toBe(200);
  expect((await lender.tenant.post('/receipts', receipt(5))).status).toBe(201);

  const facts = await queryAll<{
    kind: string;
    sequence: number;
    body: { actor?: string; basis?: string; drop?: string[] };
  }>(
    databases,
    'facts_of_parked',
    'SELECT kind, sequence, body FROM facts WHERE tenant_id = $1 AND book_id = $2 ORDER BY sequence',
    [lender.tenant.id, `c/${client}`],
  );
  expect(facts.map(({ sequence }) => sequence)).toEqual(facts.map((_, at) => at + 1));
  const [, second] = facts.filter(({ kind }) => kind === 'released');
  expect(second?.body).toEqual({ basis: 'looked at it', drop: [waiting[0]?.place], actor: 'ana' });

  // The lender sees it, too.
  for (const recordedIn of [lender.tenant.id, installationId]) {
    await eventually(async () => (await recordedReleases(recordedIn)).length === 4);
    const account = { basis: 'looked at it', dropped: [waiting[0]?.place] };
    expect((await recordedReleases(recordedIn)).slice(2)).toEqual([
      { actor: 'ana', after: { state: 'requested', ...account }, channel: 'command_line' },
      { actor: 'ana', after: { state: 'released', left: 0, ...account }, channel: 'command_line' },
    ]);
  }
});

test('an act on a person waits while the book of its Tenancy is parked, and is recorded once after its release', async () => {
  const { tenant } = lender;
  const parked = async () => (await tenant.administration.parkedBooks(tenant.id)).find(({ bookId }) => bookId === 't');
  const acts = () =>
    queryAll<{ subject: string }>(
      databases,
      'acts_of_parked',
      `SELECT body ->> 'subject' AS subject FROM facts WHERE tenant_id = $1 AND kind = 'person_act'
         AND body ->> 'action' = 'invited'`,
      [tenant.id],
    );
  await writeUndecodable(tenant.id, 't');
  await eventually(async () => (await parked()) !== undefined);
  const act = { actor: 'ana', origin: { channel: 'command_line' }, action: 'invited', subject: 'x@y.example' } as const;
  await recordLater(databases.home, act, tenant.id);
  // The console records this one after it has looked at the other.
  const marker = `marker-${tenant.id}`;
  await recordLater(databases.home, { ...act, subject: marker });
  await eventually(async () => (await queryAll(databases, 'marker', markerText, [marker])).length === 1);
  const places = (await parked())?.submissions.map(({ place }) => place) ?? [];
  expect(places.length).toBe(1);
  const result = await tenant.administration.releaseBook(
    'ana',
    { tenantId: tenant.id, bookId: 't' },
    {
      basis: 'looked at it',
      drop: places,
    },
  );
  expect(result).toMatchObject({ released: true });
  await eventually(async () => (await acts()).length > 0);
  expect(await acts()).toEqual([{ subject: 'x@y.example' }]);
});

test('facts recorded by a release have the signed request as evidence', async () => {
  client = await lender.client();
  await writeUndecodable(lender.tenant.id, `c/${client}`);
  expect((await lender.tenant.post('/receipts', receipt(1))).status).toBe(500);
  const [first] = await waitingSubmissions();
  expect((await release('--drop', String(first?.place))).code).toBe(0);
  await eventually(async () => (await lender.tenant.get(`/receipts/${client}-1`)).status === 200);
  const evidence = await lender.read(`/receipts/${client}-1/evidence`);
  expect(JSON.stringify(evidence)).toContain(lender.tenant.signer.fp);
});

test('one command releases thousands of waiting submissions in portions', async () => {
  client = await lender.client();
  await writeUndecodable(lender.tenant.id, `c/${client}`);
  for (let batch = 0; batch < 3; batch += 1) {
    const receipts = Array.from({ length: 1_000 }, (_, index) => ({
      ...receipt(1),
      reference: `${client}-${batch * 1_000 + index}`,
    }));
    // Whatever the answer, every submission waits.
    await lender.tenant.post('/receipts/batch', { receipts });
  }
  let waiting = await waitingSubmissions();
  await eventually(async () => {
    waiting = await waitingSubmissions();
    return waiting.length === 3_001;
  });
  const result = await release('--drop', String(waiting[0]?.place), '--drop', String(waiting[2_500]?.place));
  const { submissions, ...response } = JSON.parse(result.out);
  expect([result.code, response]).toEqual([0, { book_id: `c/${client}`, released: true, left: 0 }]);
  expect(submissions.map(({ place }: { place: string }) => place)).toEqual(waiting.map(({ place }) => place));
  const sent = waiting.map(({ reference }) => reference);
  expect(await recorded()).toEqual(sent.filter((_, index) => index !== 0 && index !== 2_500));
  const evidence = await query<{ requests: number; releases: number }>(
    databases.ofBook({ tenantId: lender.tenant.id, bookId: `c/${client}` }),
    'requests_of_released',
    `SELECT count(DISTINCT request_id) AS requests, count(*) FILTER (WHERE kind = 'released') AS releases FROM facts
       WHERE tenant_id = $1 AND book_id = $2 AND kind <> 'registered'`,
    [lender.tenant.id, `c/${client}`],
  );
  expect(evidence[0]?.requests).toBe(3 + Number(evidence[0]?.releases));
  expect((await lender.tenant.post('/receipts', receipt(5_000))).status).toBe(201);
});

test('a book that is not parked cannot be released', async () => {
  client = await lender.client();
  expect(await release()).toMatchObject({ code: 1, err: expect.stringContaining('not_found') });
});
