/** The keys of a Tenancy that has very many, a page at a time. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { AdministrationReads, type KeyPosition } from '#libs/submission/administration-reads.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

let scratch: ScratchDatabase;
let reads: AdministrationReads;
beforeAll(async () => {
  scratch = await createScratchDatabase('key_pages');
  reads = new AdministrationReads(PartitionDatabases.of(scratch.database));
  // Five keys at each moment.
  await scratch.owner.query(
    `INSERT INTO keys (fp, tenant_id, public_key, scope, holder, label, created_at, revision)
    SELECT md5(n::text), CASE WHEN n > 120 THEN 'other' ELSE 'lender' END, '', 'read', 'service', n::text, n / 5, n
    FROM generate_series(1, 130) AS n`,
  );
});
afterAll(() => scratch.drop());

test('every key is on one page, the newest first', async () => {
  const keys = [];
  const sizes = [];
  for (let before: KeyPosition | undefined, isFirst = true; isFirst || before !== undefined; isFirst = false) {
    const page = await reads.readKeyPage('lender', 50, before);
    sizes.push(page.keys.length);
    keys.push(...page.keys);
    before = page.next;
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(keys).toEqual((await reads.listKeys('lender')).toReversed());
});

test('a key is found by its fingerprint in its own Tenancy alone', async () => {
  const { keys } = await reads.readKeyPage('other', 1);
  const fp = keys[0]?.fp ?? '';
  expect(await reads.findKeys('other', [fp, 'unknown'])).toEqual(keys);
  expect(await reads.findKeys('lender', [fp])).toEqual([]);
});
