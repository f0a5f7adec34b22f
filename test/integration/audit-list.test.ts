/** The audit list of a long book: acts are found among facts of other kinds, a bounded number at a time. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AdministrationFactFilter, examinedFacts } from '#libs/database/administration-facts.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { readActs } from '#services/console/audit-list/read-acts.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

const noFilter: AdministrationFactFilter = { person: '', action: '', day: '' };
const newest = Number.MAX_SAFE_INTEGER;
/** Acts are the first fact and the newest sixty. */
const facts = examinedFacts + 200;

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('audit_list');
  await scratch.owner.query(
    `INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, recorded_at, request_id, item,
      partition, "offset", event_number)
    SELECT 'lender', $1, n, CASE WHEN n = 1 OR n > $2 - 60 THEN 'bounds_set' ELSE 'lookup_key_pointed' END,
      json_build_object('actor', CASE WHEN n = 1 THEN 'Ana' ELSE 'Bruno' END), true, n, n, gen_random_uuid(), 0, 0, n, n
    FROM generate_series(1, $2::integer) AS n`,
    [tenancyBookId, facts],
  );
  await scratch.owner.query(
    `INSERT INTO books (tenant_id, book_id, partition, sequence, version_count, recorded_at) VALUES ('lender', $1, 0, $2, $2, $2)`,
    [tenancyBookId, facts],
  );
});
afterAll(() => scratch.drop());

test('acts are listed newest first, a page at a time, and none is left out or shown twice', async () => {
  const sequences: number[] = [];
  for (let next: number | undefined = newest; next !== undefined; ) {
    const page = await readActs(scratch.database, 'lender', noFilter, { before: next, limit: 25 });
    sequences.push(...page.acts.map(({ sequence }) => sequence));
    next = page.next;
  }
  expect(sequences).toEqual([...Array.from({ length: 60 }, (_, index) => facts - index), 1]);
});

test('a rare act is found on a later page, and a page without acts says where to continue', async () => {
  const rare = { ...noFilter, person: 'ana' };
  const first = await readActs(scratch.database, 'lender', rare, { before: newest, limit: 50 });
  expect(first).toEqual({ acts: [], next: facts - examinedFacts + 1 });
  const second = await readActs(scratch.database, 'lender', rare, { before: first.next ?? 0, limit: 50 });
  expect(second.acts.map(({ sequence }) => sequence)).toEqual([1]);
  expect(second.next).toBeUndefined();
});
