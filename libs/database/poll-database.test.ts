import { expect, test } from '@jest/globals';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import type { Database } from './database.ts';
import { openDatabasePoll } from './poll-database.ts';

/** The values that are exported now, by the name of the metric. */
async function figures(): Promise<Record<string, unknown>> {
  const all = await metrics.getMetricsAsJSON();
  return Object.fromEntries(all.flatMap(({ name, values }) => values.map(({ value }) => [name, value])));
}

test('figures of the archive are exported only while Postgres archives its log, those of checks while it answers', async () => {
  const server = { isArchiving: true, answers: true, waitingFiles: 3 as number | null };
  const database = {
    async query({ text }: { readonly text: string }) {
      if (!server.answers) throw new Error('connection refused');
      if (text.includes('check_results')) return { rows: [{ name: 'audit', ageSeconds: 3_600, findings: 2 }] };
      const { isArchiving, waitingFiles } = server;
      const archive = { isArchiving, isFailing: false, ageSeconds: 30, waitingFiles };
      return { rows: [{ partition: 0, nowSeconds: 0, standbys: 1, ...archive, age: null }] };
    },
  } as unknown as Database;
  const poll = openDatabasePoll({ database, expectedStandbys: 1 });
  const expected = { lending_database_standbys_expected: 1 };
  const known = { ...expected, lending_partitions: 1 };
  const ofAudit = { lending_check_age_seconds: 3_600, lending_check_findings: 2 };
  const always = {
    ...known,
    lending_database_standbys: 1,
    lending_clock_offset_seconds: expect.any(Number),
    ...ofAudit,
  };
  const ofArchive = { lending_database_archive_failing: 0, lending_database_archive_age_seconds: 30 };
  expect(await figures()).toEqual(expected);
  await poll();
  expect(await figures()).toEqual({ ...always, ...ofArchive, lending_database_archive_waiting_files: 3 });
  server.waitingFiles = null;
  await poll();
  expect(await figures()).toEqual({ ...always, ...ofArchive });
  server.isArchiving = false;
  await poll();
  expect(await figures()).toEqual(always);
  server.answers = false;
  await poll();
  expect(await figures()).toEqual(known);
});
