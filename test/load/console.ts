/**
 * `npm run bench:console -- [--clients 1000000] [--borrowers 100000] [--loans 10000] [--reads 20]`: the time of every page and
 * download of the console for a Tenancy with this many Clients, of which so many have a late Loan and one has this many Loans.
 * Prints a table and the same as JSON. Fails where an answer has another status than expected, where a page takes longer than
 * the limit once its book is in memory, where the first piece of a download does, and where a statement scanned a large table.
 * The first read is stated apart: where its book has to be loaded, a page that says so (202) is answered, and must not take
 * longer than the limit either. Each book is first read by a list or by the page of its Client: that others answer 202, too, is
 * not measured but tested. The longest wait of a download is between two of its pieces.
 */
import { request as send } from 'node:http';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { newToken } from '#libs/people/secret-tokens.ts';
import { ConsoleVisitor } from '#test/browser/console-visitor.ts';
import { addConsolePerson, openConsoleSession } from '#test/support/console-person.ts';
import { eventually } from '#test/support/tenant.ts';
import { printComment, withBenchEnvironment } from './bench-environment.ts';
import { createConsoleLender } from './console-lender.ts';
import { type MeasuredPage, measuredPages, requireAllMeasured } from './console-pages.ts';
import { percentile } from './latencies.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000000' },
    borrowers: { type: 'string' },
    loans: { type: 'string', default: '10000' },
    reads: { type: 'string', default: '20' },
  },
});
const clients = Number(values.clients);
const borrowers = Number(values.borrowers ?? Math.ceil(clients / 10));
const counts = { clients, borrowers, loans: Number(values.loans), acts: Math.min(6_000, Math.ceil(clients / 100)) };
const reads = Number(values.reads);
const maxMs = 300;
/** A download of a whole Tenancy is left after this time. */
const maxDownloadMs = 10_000;
/** A scan of more rows has no bound. */
const maxScannedRows = 2_000;
/** A connection reports its counts to Postgres some seconds after its last statement. */
const reportDelayMs = 12_000;

interface Result {
  readonly page: string;
  readonly statuses: readonly number[];
  readonly first_ms: number;
  /** Of a page, until its end; of a download, until its first piece. */
  readonly p50_ms: number;
  /** Of a download, the longest wait between two pieces: of a list in which few rows match, it is that for the next one. */
  readonly max_ms: number;
  readonly kilobytes: number;
  readonly kilobytes_compressed: number;
  readonly faults: readonly string[];
}

await withBenchEnvironment(async (environment) => {
  const lender = await createConsoleLender(environment, counts);
  const { servicesDatabaseUrl, databaseUrl } = environment.stack;
  const database = openDatabase({ url: servicesDatabaseUrl, name: 'bench', connections: 1 });
  const { visitor, session } = await signIn(database, environment.services.consoleUrl);
  const as = { tenantId: lender.id, role: 'support' } as const;
  const { id: person } = await addConsolePerson(PartitionDatabases.of(database), {
    email: 'support@lender.example',
    as,
    password: newToken(),
  });
  await database.end();
  const pages = await measuredPages(lender, visitor, person);
  requireAllMeasured(pages);
  const before = await readScans(databaseUrl);
  console.log(`\n${clients} Clients, ${borrowers} with a late Loan, one with ${counts.loans} Loans; ${reads} reads\n`);
  console.log(
    '| page | status | first ms | p50 ms | max ms | kB | kB compressed | |\n| - | - | - | - | - | - | - | - |',
  );
  const results: Result[] = [];
  for (const page of pages) {
    const isDownload = page.form === undefined && /\.csv(\?|$)|\/answer$/.test(page.pathOf(0));
    const measured = isDownload
      ? await measureDownload(environment.services.consoleUrl, session, page)
      : await measurePage(visitor, page);
    const result = { ...measured, page: measured.page.replaceAll(lender.id, 'ID') };
    results.push(result);
    console.log(rowOf(result));
  }
  const scans = await largeScans(databaseUrl, before);
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  console.log(`\n${results.length} pages; ${failed} with another status than expected or over ${maxMs} ms`);
  console.log(`large tables scanned: ${scans.length === 0 ? 'none' : scans.join(', ')}`);
  console.log(JSON.stringify({ ...counts, reads, max_ms: maxMs, results, scans }));
  process.exitCode = failed === 0 && scans.length === 0 ? 0 : 1;
});

async function signIn(
  database: Database,
  url: string,
): Promise<{ readonly visitor: ConsoleVisitor; readonly session: string }> {
  const person = await addConsolePerson(PartitionDatabases.of(database), {
    email: 'bench@lender.example',
    as: 'operator',
    password: newToken(),
  });
  const session = await openConsoleSession(database, person);
  return { visitor: new ConsoleVisitor({ session, url }), session };
}

async function measurePage(visitor: ConsoleVisitor, page: MeasuredPage): Promise<Result> {
  const { pathOf, form } = page;
  const times: number[] = [];
  const statuses: number[] = [];
  let text = '';
  for (let read = 0; read < reads; read += 1) {
    const startedAt = performance.now();
    const answer = await (form === undefined ? visitor.get(pathOf(read)) : visitor.post(pathOf(read), form));
    times.push(performance.now() - startedAt);
    statuses.push(answer.status);
    if (read === 0 && answer.status === 202)
      await eventually(async () => (await visitor.get(pathOf(0))).status !== 202);
    if (answer.text.length > text.length) text = answer.text;
  }
  const [first = Number.NaN, ...others] = times;
  return resultOf(page, { statuses, first, times: others, bytes: Buffer.from(text) });
}

/** Read twice: the first time, books may have to be loaded. */
async function measureDownload(url: string, session: string, page: MeasuredPage): Promise<Result> {
  const cold = await download(url + page.pathOf(0), session);
  const { waits, status, bytes } = await download(url + page.pathOf(0), session);
  const [[first = Number.NaN], [warm = Number.NaN]] = [cold.waits, waits];
  const measured = { statuses: [cold.status, status], first, times: [warm], bytes };
  return { ...resultOf(page, measured), max_ms: rounded(waits.reduce((longest, wait) => Math.max(longest, wait), 0)) };
}

/** As a browser does, which receives each piece when it is sent. */
function download(url: string, session: string): Promise<Download> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const outgoing = send(url, { headers: { Cookie: `lending_session=${session}` } }, (response) => {
      const chunks: Buffer[] = [];
      const waits: number[] = [];
      let last = startedAt;
      const wait = (): number => {
        const now = performance.now();
        waits.push(now - last);
        last = now;
        return now - startedAt;
      };
      const finish = () => resolve({ waits, status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (wait() < maxDownloadMs) return;
        finish();
        outgoing.destroy();
      });
      response.on('end', () => {
        wait();
        finish();
      });
      response.on('error', finish);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

interface Download {
  readonly waits: readonly number[];
  readonly status: number;
  readonly bytes: Buffer;
}

interface Measurement {
  readonly statuses: readonly number[];
  readonly first: number;
  readonly times: readonly number[];
  readonly bytes: Buffer;
}

function resultOf(
  { name, form, statuses: expected = [200] }: MeasuredPage,
  { statuses, first, times, bytes }: Measurement,
): Result {
  const sorted = times.toSorted((a, b) => a - b);
  const [p50, max] = [percentile(sorted, 0.5), sorted.at(-1) ?? Number.NaN];
  const faults = [
    ...([202, ...expected].includes(statuses[0] ?? 0) && statuses.slice(1).every((status) => expected.includes(status))
      ? []
      : [`expected ${expected.join(' or ')}`]),
    ...(first > maxMs ? ['slow at first'] : []),
    ...(p50 > maxMs ? ['slow'] : max > maxMs ? ['slow at worst'] : []),
  ];
  return {
    page: form === undefined ? name : `POST ${name}`,
    statuses: [...new Set(statuses)],
    first_ms: rounded(first),
    p50_ms: rounded(p50),
    max_ms: rounded(max),
    kilobytes: rounded(bytes.length / 1_000),
    kilobytes_compressed: rounded(gzipSync(bytes).length / 1_000),
    faults,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function rowOf({ page, statuses, first_ms, p50_ms, max_ms, kilobytes, kilobytes_compressed, faults }: Result): string {
  const figures = [first_ms, p50_ms, max_ms, kilobytes, kilobytes_compressed].map((figure) => figure.toFixed(1));
  return `| ${[`\`${page}\``, statuses.join(' '), ...figures, faults.join(', ')].join(' | ')} |`;
}

interface TableScans {
  readonly scans: number;
  readonly rows: number;
}

async function readScans(ownerUrl: string): Promise<ReadonlyMap<string, TableScans>> {
  printComment('waits for the counts of Postgres');
  await new Promise((resolve) => setTimeout(resolve, reportDelayMs));
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string; scans: number; rows: number }>(
    `SELECT schemaname || '.' || relname AS name, coalesce(seq_scan, 0)::float AS scans,
       coalesce(seq_tup_read, 0)::float AS rows FROM pg_stat_user_tables`,
  );
  await client.end();
  return new Map(rows.map(({ name, ...scans }) => [name, scans]));
}

/** Tables that statements read from the beginning, and not by an index, while the pages were read. */
async function largeScans(ownerUrl: string, before: ReadonlyMap<string, TableScans>): Promise<readonly string[]> {
  const after = await readScans(ownerUrl);
  return [...after].flatMap(([name, { scans, rows }]) => {
    const then = before.get(name) ?? { scans: 0, rows: 0 };
    const [newScans, newRows] = [scans - then.scans, rows - then.rows];
    return newScans > 0 && newRows / newScans > maxScannedRows
      ? [`${name} (${newScans} times, ${Math.round(newRows / newScans)} rows each)`]
      : [];
  });
}
