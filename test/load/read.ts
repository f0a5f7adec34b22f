/**
 * `npm run bench:read`: reads against a house of its own, by where the book is found, beside the floor of the same
 * machine in the same minutes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '#deploy/stack/ports.ts';
import type { StackFacts } from '#deploy/stack/stack.ts';
import { environmentOf, nodeOptions } from '#deploy/start/house.ts';
import { keyObject } from '#libs/auth/verify.ts';
import { snapshotKey } from '#libs/database/snapshot-cache.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { authorization, Line } from './caller.ts';
import { type House, inNewHouse } from './house.ts';
import { type Lender, openLender } from './lender.ts';
import { type Measured, measure } from './measure.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
/** Until the compilers are done with what a read runs through: a process that was just started is not what is measured. */
const warmUpSeconds = 24;
const connections = 16;
const many = 500;
const receiptsEach = 4;
const on = '2026-03-20';

await inNewHouse(bench);

interface Read {
  readonly name: string;
  readonly path: (client: string) => string;
  readonly headers?: readonly string[];
}

async function bench({ stack, port }: House): Promise<void> {
  const lender = await openLender(stack, port, many);
  await pay(lender, port);
  const { etag, bytes } = await commonOptions(lender, port);
  const asked = reads(etag, await someLoan(lender, port));
  const clients = `${many} Clients with a Loan and ${receiptsEach} Receipts each`;
  console.log(`\n${connections} connections, ${clients}, whose payment options are ${bytes} bytes\n`);
  console.log('| the book is found | read | per second | p50 ms | p99 ms | x floor |\n| - | - | - | - | - | - |');
  for (const { where, trip, env } of places()) {
    // Beside each, for the machine is not the same from one minute to the next.
    const floor = await floorOf(stack, lender, bytes, trip);
    console.log(row('', 'the floor', floor, floor));
    const { child, port: own } = await startQuery(stack, env);
    for (const read of asked) await run(lender, own, read, warmUpSeconds / asked.length);
    for (const read of asked) console.log(row(where, read.name, await run(lender, own, read), floor));
    child.kill();
  }
}

function reads(etag: string, loan: string): Read[] {
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

interface Place {
  readonly where: string;
  /** What its floor asks beside the row of Postgres that every read begins with. */
  readonly trip: 'none' | 'redis' | 'postgres';
  readonly env: Readonly<Record<string, string>>;
}

/** A query service of its own: as it runs, without its memory, and without Redis as well. */
function places(): Place[] {
  const forgetful = { BOOK_CACHE_FACTS: '0' };
  return [
    { where: 'in memory', trip: 'none', env: {} },
    { where: 'in Redis', trip: 'redis', env: forgetful },
    { where: 'in Postgres', trip: 'postgres', env: { ...forgetful, REDIS_URL: 'redis://127.0.0.1:1' } },
  ];
}

async function startQuery(
  stack: StackFacts,
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const main = fileURLToPath(new URL('../../services/query/main.ts', import.meta.url));
  const child = fork(main, [], {
    execArgv: nodeOptions,
    env: { ...process.env, ...environmentOf(stack), ...env, PORT: String(port), LOG_LEVEL: 'silent' },
  });
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined);
    if (answered?.ok) return { child, port };
    if (child.exitCode !== null) throw new Error('the query service did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function pay(lender: Lender, port: number): Promise<void> {
  const line = await Line.open(port);
  for (let nth = 0; nth < receiptsEach; nth += 1) await line.send(lender.batch(many));
  line.close();
}

async function answerTo({ tenantId, signer }: Lender, port: number, path: string): Promise<Response> {
  const target = `/v1/tenants/${tenantId}${path}`;
  const signed = authorization(signer, { method: 'GET', target, body: new Uint8Array() });
  return fetch(`http://127.0.0.1:${port}${target}`, { headers: { Authorization: signed } });
}

async function someLoan(lender: Lender, port: number): Promise<string> {
  const listed = await answerTo(lender, port, `/loans?client_id=${lender.clients[0]}`);
  const { loans } = (await listed.json()) as { loans: { id: string }[] };
  return (loans[0] as { id: string }).id;
}

/** Those of the first Client: a tag of any other is not named by it, so the 304 is asked of the first alone. */
async function commonOptions(lender: Lender, port: number): Promise<{ etag: string; bytes: number }> {
  const answered = await answerTo(lender, port, `/clients/${lender.clients[0]}/payment-options?on=${on}`);
  return { etag: answered.headers.get('etag') ?? '', bytes: (await answered.arrayBuffer()).byteLength };
}

async function run(
  { tenantId, signer, clients }: Lender,
  port: number,
  read: Read,
  forSeconds = seconds,
): Promise<Measured> {
  const asked = read.headers === undefined ? clients : clients.slice(0, 1);
  const requests = asked.map((client) => {
    const target = `/v1/tenants/${tenantId}${read.path(client)}`;
    const signed = authorization(signer, { method: 'GET', target, body: new Uint8Array() });
    const lines = [`GET ${target} HTTP/1.1`, 'Host: bench', `Authorization: ${signed}`, ...(read.headers ?? [])];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  });
  const lines = await Promise.all(Array.from({ length: connections }, () => Line.open(port)));
  let sent = 0;
  const next = (): Buffer | undefined => {
    sent += 1;
    return requests[sent % requests.length];
  };
  const measured = await measure({ lines, ms: forSeconds * 1_000, next });
  for (const line of lines) line.close();
  return measured;
}

/** With as many bytes back as the payment options have. */
async function floorOf(
  { databaseUrl, redisUrl }: StackFacts,
  lender: Lender,
  bytes: number,
  trip: Place['trip'],
): Promise<Measured> {
  const der = keyObject(lender.signer.secretKey.subarray(32)).export({ format: 'der', type: 'spki' });
  const first = snapshotKey(lender.tenantId, clientBookId(lender.clients[0] as string));
  const child = fork(
    fileURLToPath(new URL('./read-floor.ts', import.meta.url)),
    [databaseUrl, redisUrl, der.toString('hex'), lender.tenantId, first, String(bytes), trip],
    { execArgv: nodeOptions },
  );
  const port = await new Promise<number>((resolve) => child.once('message', (told) => resolve(told as number)));
  const read = { name: '', path: (client: string) => `/clients/${client}/payment-options?on=${on}` };
  await run(lender, port, read, warmUpSeconds);
  const measured = await run(lender, port, read);
  child.kill();
  return measured;
}

function row(where: string, name: string, { perSecond, p50, p99, statuses }: Measured, floor: Measured): string {
  const failed = Object.keys(statuses).filter((status) => status !== '200' && status !== '304');
  if (failed.length > 0) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
  const times = (floor.perSecond / perSecond).toFixed(2);
  return `| ${where} | ${name} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${times} |`;
}
