/**
 * `npm run bench:read`: throughput and latency of reads by where the book is found, with a baseline measured in the same run.
 * BENCH_SECONDS sets the duration of each row.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { nodeOptions, serviceEnvironment } from '#deploy/dev/services.ts';
import { createKeyObject } from '#libs/auth/verify.ts';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { authorization, readBytes } from '#test/support/signed-request.ts';
import { type BenchEnvironment, withBenchEnvironment } from './bench-environment.ts';
import { type BenchLender, createBenchLender } from './bench-lender.ts';
import { type LoadResult, runClosedLoop } from './closed-loop.ts';
import { Connection } from './connection.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
/** Long enough for the just-in-time compiler to settle. */
const warmUpSeconds = 24;
const connectionCount = 16;
const clientCount = 500;
const receiptsPerClient = 4;
const on = '2026-03-20';

await withBenchEnvironment(bench);

interface Read {
  readonly name: string;
  readonly path: (client: string) => string;
  readonly headers?: readonly string[];
}

async function bench({ stack, port }: BenchEnvironment): Promise<void> {
  const lender = await createBenchLender(stack, port, clientCount);
  await reportReceipts(lender, port);
  const { etag, bytes } = await samplePaymentOptions(lender, port);
  const reads = readsOf(etag, await anyLoan(lender, port));
  const clients = `${clientCount} Clients with a Loan and ${receiptsPerClient} Receipts each`;
  console.log(`\n${connectionCount} connections, ${clients}; payment options have ${bytes} bytes\n`);
  console.log('| book found in | read | per second | p50 ms | p99 ms | baseline / read |\n| - | - | - | - | - | - |');
  for (const { name, snapshotSource, env } of bookLocations()) {
    // Measured next to each location, because the speed of a shared machine changes within minutes.
    const baseline = await measureBaseline(stack, lender, bytes, snapshotSource);
    console.log(row('', 'baseline', baseline, baseline));
    const { child, port: queryPort } = await startQuery(stack, env);
    for (const read of reads) await run(lender, queryPort, read, warmUpSeconds / reads.length);
    for (const read of reads) console.log(row(name, read.name, await run(lender, queryPort, read), baseline));
    child.kill();
  }
}

function readsOf(etag: string, loan: string): Read[] {
  const options = (client: string): string => `/clients/${client}/payment-options?on=${on}`;
  return [
    { name: 'payment options', path: options },
    { name: 'payment options, 304', path: options, headers: [`If-None-Match: ${etag}`] },
    { name: 'Loan', path: () => `/loans/${loan}` },
    { name: 'receipts', path: (client) => `/clients/${client}/receipts` },
    { name: 'statement', path: (client) => `/clients/${client}/statement?from=2026-01-01&to=${on}` },
    { name: "the Client's Loans", path: (client) => `/loans?client_id=${client}` },
    { name: 'listing, 50 Loans', path: () => '/loans' },
    { name: 'dues, 50 Clients', path: () => `/dues?on=${on}` },
    { name: 'book version', path: (client) => `/clients/${client}/book-version` },
  ];
}

interface BookLocation {
  readonly name: string;
  /** Where the baseline reads the snapshot, in addition to the position that every read queries. */
  readonly snapshotSource: 'none' | 'redis' | 'postgres';
  readonly env: Readonly<Record<string, string>>;
}

/** How the query service is started: normally, without its book cache, and without Redis as well. */
function bookLocations(): BookLocation[] {
  const withoutCache = { BOOK_CACHE_MIB: '0' };
  return [
    { name: 'memory', snapshotSource: 'none', env: {} },
    { name: 'Redis', snapshotSource: 'redis', env: withoutCache },
    { name: 'Postgres', snapshotSource: 'postgres', env: { ...withoutCache, REDIS_URL: 'redis://127.0.0.1:1' } },
  ];
}

async function startQuery(
  stack: BackingServiceAddresses,
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const main = fileURLToPath(new URL('../../services/query/main.ts', import.meta.url));
  const child = fork(main, [], {
    execArgv: nodeOptions,
    env: { ...process.env, ...serviceEnvironment(stack), ...env, PORT: String(port), LOG_LEVEL: 'silent' },
  });
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined);
    if (response?.ok) return { child, port };
    if (child.exitCode !== null) throw new Error('the query service did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function reportReceipts(lender: BenchLender, port: number): Promise<void> {
  const connection = await Connection.open(port);
  for (let count = 0; count < receiptsPerClient; count += 1) await connection.send(lender.batch(clientCount));
  connection.close();
}

async function get({ tenantId, signer }: BenchLender, port: number, path: string): Promise<Response> {
  const target = `/v1/tenants/${tenantId}${path}`;
  const credentials = authorization(signer, { method: 'GET', target, body: new Uint8Array() });
  return fetch(`http://127.0.0.1:${port}${target}`, { headers: { Authorization: credentials } });
}

async function anyLoan(lender: BenchLender, port: number): Promise<string> {
  const response = await get(lender, port, `/loans?client_id=${lender.clients[0]}`);
  const { loans } = (await response.json()) as { loans: { id: string }[] };
  return (loans[0] as { id: string }).id;
}

/** The payment options of the first Client. The 304 row reads only this Client, whose ETag it sends. */
async function samplePaymentOptions(lender: BenchLender, port: number): Promise<{ etag: string; bytes: number }> {
  const response = await get(lender, port, `/clients/${lender.clients[0]}/payment-options?on=${on}`);
  return { etag: response.headers.get('etag') ?? '', bytes: (await response.arrayBuffer()).byteLength };
}

async function run(
  { tenantId, signer, clients }: BenchLender,
  port: number,
  read: Read,
  durationSeconds = seconds,
): Promise<LoadResult> {
  const readClients = read.headers === undefined ? clients : clients.slice(0, 1);
  const requests = readClients.map((client) => {
    const target = `/v1/tenants/${tenantId}${read.path(client)}`;
    return readBytes(signer, target, read.headers);
  });
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => Connection.open(port)));
  let sent = 0;
  const next = (): Buffer | undefined => {
    sent += 1;
    return requests[sent % requests.length];
  };
  const measured = await runClosedLoop({ connections, durationMs: durationSeconds * 1_000, nextRequest: next });
  for (const connection of connections) connection.close();
  return measured;
}

/** The baseline with a response as large as the payment options. */
async function measureBaseline(
  { databaseUrl, redisUrl }: BackingServiceAddresses,
  lender: BenchLender,
  bytes: number,
  snapshotSource: BookLocation['snapshotSource'],
): Promise<LoadResult> {
  const der = createKeyObject(lender.signer.publicKey).export({ format: 'der', type: 'spki' });
  const first = snapshotKey(lender.tenantId, clientBookId(lender.clients[0] as string));
  const child = fork(
    fileURLToPath(new URL('./read-baseline-server.ts', import.meta.url)),
    [databaseUrl, redisUrl, der.toString('hex'), lender.tenantId, first, String(bytes), snapshotSource],
    { execArgv: nodeOptions },
  );
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)));
  const read = { name: '', path: (client: string) => `/clients/${client}/payment-options?on=${on}` };
  await run(lender, port, read, warmUpSeconds);
  const measured = await run(lender, port, read);
  child.kill();
  return measured;
}

function row(
  location: string,
  name: string,
  { perSecond, p50, p99, statuses }: LoadResult,
  baseline: LoadResult,
): string {
  const failed = Object.keys(statuses).filter((status) => status !== '200' && status !== '304');
  if (failed.length > 0) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
  const ratio = (baseline.perSecond / perSecond).toFixed(2);
  return `| ${location} | ${name} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${ratio} |`;
}
