/** Requests and facts of one partition side by side. The rows come from a list in the order of the index. */
import { expect, test } from '@jest/globals';
import type { Queryable } from '#libs/database/database.ts';
import { newAuditedPartition } from './audit-progress.ts';
import { Findings } from './findings.ts';
import { RequestsOfPartition } from './requests-of-partition.ts';

/** A request that arrived in this millisecond. */
function id(ms: number, number = 0): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;
}

type Row = readonly [requestId: string, partition: number];

/** Answers as the statement of the class does. */
function databaseOf(rows: readonly Row[]): Queryable {
  const sorted = rows.toSorted(([a, p], [b, q]) => (a === b ? p - q : a < b ? -1 : 1));
  const answer = (values: readonly [string, number, string, number, number]) => {
    const [afterId, afterPartition, target, limit, partition] = values;
    const read = sorted
      .filter(([each, p]) => each > afterId || (each === afterId && p > afterPartition))
      .filter(([each]) => each <= target)
      .slice(0, limit);
    const request_ids = read.filter(([, p]) => p === partition).map(([each]) => each);
    return { count: read.length, request_ids, last: read.at(-1) ?? null };
  };
  const query = async ({ values }: { values: Parameters<typeof answer>[0] }) => ({ rows: [answer(values)] });
  return { query } as object as Queryable;
}

/** Adds the facts in these groups, each with the moment of its middle, as an audit does. Returns what is found. */
async function found(
  rows: readonly Row[],
  groups: readonly (readonly [requestIds: readonly string[], recordedAtMs: number])[],
  maxRows = 2,
): Promise<{ readonly where: string[]; readonly kept: number }> {
  const database = databaseOf(rows);
  const findings = new Findings(10);
  let { requests: progress } = newAuditedPartition();
  let kept = 0;
  for (const [requestIds, recordedAtMs] of groups) {
    const requests = new RequestsOfPartition(1, progress);
    while (!requests.isLevel) await requests.readRows(database, maxRows);
    requests.addFacts({ requestIds: [...new Set(requestIds)], lastRequest: requestIds.at(-1) ?? null, recordedAtMs });
    progress = requests.progress;
    kept = Math.max(kept, progress.withoutFact.length + progress.withoutRow.length);
  }
  const requests = new RequestsOfPartition(1, progress);
  while (!requests.isLevel) await requests.readRows(database, maxRows);
  while (!(await requests.readLastRows(database, findings, maxRows)));
  expect(requests.progress).toMatchObject({ withoutFact: [], withoutRow: [] });
  return { where: findings.listed.map(({ where }) => where), kept };
}

const own = (requestId: string): Row => [requestId, 1];

test('every request has a fact', async () => {
  const ids = Array.from({ length: 20 }, (_, at) => id(100 + at));
  const groups = Array.from({ length: 5 }, (_, at) => [ids.slice(at * 4, at * 4 + 4), 102 + at * 4] as const);
  const { where, kept } = await found(ids.map(own), groups);
  expect(where).toEqual([]);
  expect(kept).toBeLessThan(8);
});

test.each([
  ['before all facts', id(1)],
  ['between them', id(102, 5)],
  ['behind all facts', id(900)],
  ['under no time at all', '00000000-0000-0000-0000-000000000000'],
])('a request without a fact, %s, is found', async (_where, orphan) => {
  const ids = [id(101), id(102), id(103)];
  const { where } = await found([...ids, orphan].map(own), [[ids, 102]]);
  expect(where).toEqual([`request ${orphan} in partition 1`]);
});

test('a request whose facts are recorded long after it arrived has a fact', async () => {
  const [late, ...ids] = [id(101), id(500), id(501), id(502)] as [string, string, string, string];
  const { where } = await found([late, ...ids].map(own), [
    [ids.slice(0, 2), 500],
    [[...ids.slice(2), late], 502],
  ]);
  expect(where).toEqual([]);
});

test('a request whose facts are in two groups is one request', async () => {
  const [a, b, c] = [id(101), id(102), id(103)];
  const { where, kept } = await found([a, b, c].map(own), [
    [[a, b, b], 101],
    [[b, b, c], 102],
  ]);
  expect(where).toEqual([]);
  expect(kept).toBeLessThan(4);
});

test('requests of other partitions are skipped', async () => {
  const others = Array.from({ length: 9 }, (_, at): Row => [id(100 + at), at % 2 === 0 ? 0 : 2]);
  const shared = id(104);
  const { where } = await found([...others, own(shared)], [[[shared], 104]]);
  expect(where).toEqual([]);
});
