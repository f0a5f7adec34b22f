/**
 * `npm run bench:migrations -- [rows]`: how long the migrations of this release make the statements of the services wait, on
 * tables that the previous release filled with so many rows each. Fails where one waits longer than a second.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { removeBackingServices, startBackingServices } from '#deploy/dev/backing-services.ts';
import { migrate } from '#libs/database/migrate.ts';
import { checkOutPreviousRelease, missingPreviousRelease } from './previous-release.ts';

const rows = Number(process.argv[2] ?? 5_000_000);
const probeIntervalMs = 10;
const maxWaitMs = 1_000;

/** The tables that grow, filled with rows of about their usual width. */
const fill: Readonly<Record<string, string>> = {
  books: `INSERT INTO books (tenant_id, book_id, partition, sequence, version_count, recorded_at, parked)
    SELECT 'filler', 'c/' || n, n % 12, 1, 1, n, false FROM generate_series(1, $1::bigint) AS n`,
  facts: `INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, recorded_at,
      request_id, item, partition, "offset", event_number)
    SELECT 'filler', 'c/' || n, 1, 'receipt', json_build_object('n', n, 'text', repeat('x', 100)), true, 1, n, n,
      md5(n::text)::uuid, 0, n % 12, n, n FROM generate_series(1, $1::bigint) AS n`,
  evidence: `INSERT INTO evidence (request_id, partition, tenant_id, method, target, ts, fp, signature, body, body_encoding, received_at)
    SELECT md5(n::text)::uuid, n % 12, 'filler', 'POST', '/v1/tenants/filler/receipts', n, 'fp', decode(repeat('00', 64), 'hex'),
      convert_to(repeat('x', 120), 'UTF8'), 'identity', n FROM generate_series(1, $1::bigint) AS n`,
  submission_references: `INSERT INTO submission_references (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)
    SELECT 'filler', 'receipts', 'r-' || n, decode(repeat('00', 32), 'hex'), 'c/' || n, 'receipt', n::text, 1
    FROM generate_series(1, $1::bigint) AS n`,
  'operations.request_log': `INSERT INTO operations.request_log (tenant_id, request_id, received_at, duration_us, caller_request_id, fp,
      method, route, status)
    SELECT 'filler', md5(n::text)::uuid, n, 5000, 'request-' || n, 'fp', 'POST', 'postReceipt', 201
    FROM generate_series(1, $1::bigint) AS n`,
};

/** What the services do to these tables, without a trace of it. */
const probes: Readonly<Record<string, string>> = {
  books: "UPDATE books SET sequence = sequence WHERE tenant_id = 'filler' AND book_id = 'c/1'",
  facts: "SELECT body FROM facts WHERE tenant_id = 'filler' AND book_id = 'c/1'",
  evidence: "SELECT body FROM evidence WHERE request_id = md5('1')::uuid",
  submission_references:
    "SELECT FROM submission_references WHERE tenant_id = 'filler' AND namespace = 'receipts' AND reference = 'r-1'",
  'operations.request_log':
    "SELECT FROM operations.request_log WHERE tenant_id = 'filler' AND request_id = md5('1')::uuid",
  partitions: 'UPDATE partitions SET next_offset = next_offset WHERE partition = 0',
};

const missing = missingPreviousRelease();
if (missing !== undefined) {
  console.log(`skipped: ${missing}`);
  process.exit(0);
}
const root = mkdtempSync(join(tmpdir(), 'lending-migrations-'));
const backing = await startBackingServices({ dir: join(root, 'stack'), log: (line) => console.log(`# ${line}`) });
try {
  await measure(checkOutPreviousRelease(root));
} finally {
  await backing.stop();
  removeBackingServices(backing);
  rmSync(root, { recursive: true, force: true });
}
process.exit();

async function measure(previousTree: string): Promise<void> {
  const { databaseUrl } = backing;
  const previous = (await import(join(previousTree, 'libs/database/migrate.ts'))) as { migrate: typeof migrate };
  await previous.migrate(databaseUrl);
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  for (const [table, sql] of Object.entries(fill)) {
    const startedAt = performance.now();
    await owner.query(sql, [rows]);
    console.log(`# ${table}: ${rows} rows in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  }
  await owner.query('ANALYZE');
  await owner.end();

  const end = new AbortController();
  const waits = Object.entries(probes).map(
    async ([table, sql]) => [table, await longestWait(sql, end.signal)] as const,
  );
  const startedAt = performance.now();
  const applied = await migrate(databaseUrl);
  const seconds = (performance.now() - startedAt) / 1_000;
  end.abort();
  console.log(`migrations: ${applied.join(', ') || 'none'} in ${seconds.toFixed(1)} s`);
  console.log('| table | longest wait ms |\n| - | - |');
  const longest = await Promise.all(waits);
  for (const [table, ms] of longest) console.log(`| ${table} | ${Math.round(ms)} |`);
  if (longest.some(([, ms]) => ms > maxWaitMs)) process.exitCode = 1;
}

async function longestWait(sql: string, end: AbortSignal): Promise<number> {
  const connection = new pg.Client({ connectionString: backing.databaseUrl });
  await connection.connect();
  let longest = 0;
  while (!end.aborted) {
    const startedAt = performance.now();
    await connection.query(sql);
    longest = Math.max(longest, performance.now() - startedAt);
    await sleep(probeIntervalMs);
  }
  await connection.end();
  return longest;
}
