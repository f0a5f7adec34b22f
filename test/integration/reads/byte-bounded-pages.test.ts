/** Pages end at 1 MiB of rows, and their cursor goes on from there. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StageTimer } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { readDecisionsBefore } from '#libs/database/read-client-and-credit-pages.ts';
import { Lender, requireStatus } from '#test/support/lender.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { testEnvironment } from '#test/support/tenant.ts';

const bytesPerMebibyte = 1024 * 1024;

describe('the query for a page of Decisions', () => {
  const timer: StageTimer = { measure: async (_part, work) => work() };
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await createScratchDatabase('byte-bounded pages');
    // Long rows that compress well, long rows that do not, and short ones.
    await scratch.owner.query(`
      INSERT INTO listed_records SELECT tenant, 'decisions', n, tenant || n, 'c/ada', json_build_object('n', n, 'trace', trace), n
        FROM generate_series(1, 30) n, (VALUES ('alike', repeat('x', 300000)),
          ('mixed', (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 10000) i)), ('short', 'x')) AS t (tenant, trace)`);
  });
  afterAll(() => scratch.drop());

  test.each([
    ['alike', 3],
    ['mixed', 3],
    ['short', 21],
  ])('of Tenancy %s has %i rows, and knows that more were found', async (tenantId, expected) => {
    const page = { tenantId, from: [], limit: 21 };
    const databases = PartitionDatabases.of(scratch.database);
    const rows = await readDecisionsBefore(databases, timer, page);
    expect(rows.map(({ number, found }) => [number, found])).toEqual(
      Array.from({ length: expected }, (_, nth) => [30 - nth, 21]),
    );
    expect(rows.map(({ content }) => JSON.parse(content).n)).toEqual(rows.map(({ number }) => number));
    const rest = await readDecisionsBefore(databases, timer, { ...page, from: [2] });
    expect(rest.map(({ number, found }) => [number, found])).toEqual([[1, 1]]);
  });
});

test('all Clients with long bodies are on the pages, each once and none above 1 MiB', async () => {
  const lender = await Lender.open(testEnvironment());
  const ids = Array.from({ length: 150 }, (_, nth) => `client-${nth}`);
  const body = { actor: 'ana', basis: 'signed', context: { note: 'x'.repeat(15_000) } };
  await Promise.all(ids.map(async (id) => requireStatus(await lender.tenant.put(`/clients/${id}`, body), 201)));
  const listed: string[] = [];
  const lengths: number[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = requireStatus(await lender.tenant.get(`/clients?limit=200${query}`), 200).body;
    listed.push(...page.clients.map(({ client_id }: { readonly client_id: string }) => client_id));
    lengths.push(JSON.stringify(page).length);
    cursor = page.cursor;
  }
  expect(listed.toSorted()).toEqual(ids.toSorted());
  expect(lengths.length).toBe(3);
  for (const length of lengths) expect(length).toBeLessThan(bytesPerMebibyte + 1_000);
  await lender.close();
});
