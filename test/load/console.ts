/**
 * `npm run bench:console -- [--clients 1000000] [--loans 10000]`: the time of every page of the console for a Tenancy with this
 * many Clients, one of which has this many Loans. The first read is stated apart: its book may have to be loaded.
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { openDatabase } from '#libs/database/pool.ts';
import { newToken } from '#libs/people/secret-tokens.ts';
import { consoleRoutes, fillPath } from '#test/browser/console-routes.ts';
import { ConsoleVisitor } from '#test/browser/console-visitor.ts';
import { addConsolePerson, openConsoleSession } from '#test/support/console-person.ts';
import { type BenchEnvironment, printComment, withBenchEnvironment } from './bench-environment.ts';
import { benchLoan, benchProduct, inParallel, openBenchTenancy, record } from './bench-lender.ts';
import { Connection } from './connection.ts';
import { percentile } from './latencies.ts';

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '1000000' }, loans: { type: 'string', default: '10000' } },
});
const clientCount = Number(values.clients);
const loanCount = Number(values.loans);
const readsOfPage = 20;
const setupConnections = 64;
const large = 'client-large';
const account = { actor: 'bench', basis: 'benchmark' };
const pesos = { minor_units: 500_00, currency: 'MXN' };

await withBenchEnvironment(async (environment) => {
  const tenant = await createTenancy(environment);
  const visitor = await signIn(environment);
  const paths = await pagesOf(tenant, visitor);
  console.log(`\n${clientCount} Clients, one with ${loanCount} Loans\n`);
  console.log(
    '| page | status | first ms | p50 ms | max of the others ms | kB compressed |\n| - | - | - | - | - | - |',
  );
  let slowest = 0;
  for (const path of paths) {
    const { row, max } = await measure(visitor, path);
    slowest = Math.max(slowest, max);
    console.log(row.replaceAll(tenant.id, 'ID'));
  }
  console.log(`\n${paths.length} pages; the slowest read, first reads aside: ${slowest.toFixed(0)} ms`);
});

interface BenchTenancy {
  readonly id: string;
  /** Of the large Client. */
  readonly loan: string;
  readonly configuration: string;
}

async function createTenancy({ stack, port }: BenchEnvironment): Promise<BenchTenancy> {
  const id = `bench${Date.now()}`;
  const signer = await openBenchTenancy(stack, id);
  const connections = await Promise.all(Array.from({ length: setupConnections }, () => Connection.open(port)));
  const [connection] = connections as [Connection];
  const product = await record(connection, signer, 'POST', `/v1/tenants/${id}/product-configurations`, benchProduct);
  const configuration = product.id;
  await record(connection, signer, 'PUT', `/v1/tenants/${id}/clients/${large}`, account);
  await inParallel(connections, clientCount - 1, (each, index) =>
    record(each, signer, 'PUT', `/v1/tenants/${id}/clients/client-${index}`, account),
  );
  printComment(`registered ${clientCount} Clients`);
  const issue = (each: Connection, index: number): Promise<{ id: string }> => {
    const body = benchLoan(configuration, large, `loan-${index}`, '2026-01-15');
    return record(each, signer, 'POST', `/v1/tenants/${id}/loans`, body);
  };
  const first = await issue(connection, 0);
  await inParallel(connections, loanCount - 1, (each, index) => issue(each, index + 1));
  printComment(`issued ${loanCount} Loans of one Client`);
  const receipt = { reference: 'receipt-large', client_id: large, amount: pesos, value_date: '2026-03-01' };
  await record(connection, signer, 'POST', `/v1/tenants/${id}/receipts`, { ...receipt, rail: 'bank_transfer' });
  for (const each of connections) each.close();
  return { id, loan: first.id, configuration };
}

async function signIn({ stack, services }: BenchEnvironment): Promise<ConsoleVisitor> {
  const database = openDatabase({ url: stack.servicesDatabaseUrl, name: 'bench', connections: 1 });
  const as = 'operator';
  const person = await addConsolePerson(database, { email: 'bench@lender.example', as, password: newToken() });
  const session = await openConsoleSession(database, person);
  await database.end();
  return new ConsoleVisitor({ session, url: services.consoleUrl });
}

/** Every page of the console but those without a subject here, and those that need more than an address. */
async function pagesOf(tenant: BenchTenancy, visitor: ConsoleVisitor): Promise<readonly string[]> {
  const log = await visitor.get(`/tenancies/${tenant.id}/requests`);
  const request = /\/requests\/([0-9a-f-]{36})/.exec(log.text)?.[1] ?? '';
  const ids = { ...tenant, tenant: tenant.id, request, client: large, reference: 'receipt-large' };
  const evidence = [`loans/${tenant.loan}`, 'receipts/receipt-large'];
  const base = `/tenancies/${tenant.id}`;
  return [
    ...consoleRoutes()
      .filter(({ method, path }) => method === 'GET' && /^\/(tenancies|account|people|health|audit-list)/.test(path))
      .map(({ path }) => path)
      .filter((path) => !/:(policy|fp|kind|book|person|passkey)/.test(path))
      .map((path) => fillPath(path, ids)),
    ...evidence.map((name) => `${base}/evidence/${name}`),
    `${base}/clients?q=client-777`,
    `${base}/clients?q=receipt-large`,
    `${base}/loans?client_id=${large}`,
    `${base}/loans?state=active`,
    `${base}/clients/${large}?on=2026-06-30`,
    `${base}/clients/${large}?on=2026-06-30&known_at=2026-11-25T00:00:00Z`,
    `${base}/clients/${large}/changes?on=2026-06-30`,
    `${base}/clients/${large}/explanation?on=2026-06-30&loan=${tenant.loan}`,
  ];
}

async function measure(visitor: ConsoleVisitor, path: string): Promise<{ readonly row: string; readonly max: number }> {
  const times: number[] = [];
  let status = 0;
  let text = '';
  for (let count = 0; count < readsOfPage; count += 1) {
    const startedAt = performance.now();
    ({ status, text } = await visitor.get(path));
    times.push(performance.now() - startedAt);
  }
  const [first = Number.NaN, ...others] = times;
  const sorted = others.toSorted((a, b) => a - b);
  const max = sorted.at(-1) ?? Number.NaN;
  const figures = [first, percentile(sorted, 0.5), max, gzipSync(text).length / 1_000].map((each) => each.toFixed(1));
  return { row: `| \`${path}\` | ${status} | ${figures.join(' | ')} |`, max };
}
