/** Repairs that refuse while a processor holds a publishing lock, and what an operator can do about a session that is left. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { withStoppedProcessors } from '#libs/verify/repair/stopped-processors.ts';
import { allPartitions } from '#test/support/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually } from '#test/support/tenant.ts';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('processor');
});
afterAll(() => scratch.drop());

test('a repair names the session of a processor and the statement that ends it, and runs afterwards', async () => {
  const locks = new PublishingLocks(scratch.database);
  expect(await locks.acquire(3)).toBe(true);
  const refusal = await withStoppedProcessors(scratch.database, allPartitions, async () => 'done').catch(
    ({ message }: Error) => message,
  );
  expect(refusal).toMatch(/a processor is running: it publishes partition 3 .*session \d+ of processor\/.* from \S+/);
  const [statement] = /SELECT pg_terminate_backend\(\d+\)/.exec(refusal) ?? [];
  await scratch.owner.query(String(statement));
  await eventually(() => !locks.holds(3));
  expect(await withStoppedProcessors(scratch.database, allPartitions, async () => 'done')).toBe('done');
});
