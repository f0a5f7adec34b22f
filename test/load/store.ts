/**
 * `npm run bench:store -- [--loans 10000000] [--seconds 10]`: reads in a store of ten thousand Loans, and in the same store after it
 * has grown to so many. Fails where a read of the same Clients takes a fifth longer than before. The Loans are copies
 * (`copy-clients.ts`), ten of each Client; ten million take 45 GB of disk.
 */
import { parseArgs } from 'node:util';
import { readBytes } from '#test/support/signed-request.ts';
import { printComment, withBenchEnvironment } from './bench-environment.ts';
import { benchLoan, benchProduct, openBenchTenancy, record } from './bench-lender.ts';
import { type LoadResult, runClosedLoop } from './closed-loop.ts';
import { Connection } from './connection.ts';
import { copiedId, copyClients } from './copy-clients.ts';

const { values } = parseArgs({
  options: { loans: { type: 'string', default: '10000000' }, seconds: { type: 'string', default: '10' } },
});
const loansPerClient = 10;
const [fewClients, manyClients] = [10_000 / loansPerClient, Number(values.loans) / loansPerClient];
const seconds = Number(values.seconds);
const connectionCount = 16;
/** Signed before the measurement. */
const requestCount = 20_000;
const warmUpSeconds = 3;
const maxRatio = 1.2;
const on = '2026-03-20';
const client = 'borrower';

await withBenchEnvironment(async ({ stack, port }) => {
  const tenantId = `bench${Date.now()}`;
  const signer = await openBenchTenancy(stack, tenantId);
  const loans = await recordBorrower();
  const copy = (first: number, last: number): Promise<void> =>
    copyClients(stack.databaseUrl, { tenantId, client, first, count: last - first + 1, withEvidence: false });
  await copy(1, fewClients);
  const before = await measureAll(fewClients);
  await copy(fewClients + 1, manyClients);
  const [same, all] = [await measureAll(fewClients), await measureAll(manyClients)];
  console.log(`\n${connectionCount} connections, ${seconds} s for each read, ${loansPerClient} Loans of each Client\n`);
  const counts = [10_000, `${values.loans}, the same Clients`, `${values.loans}, all Clients`];
  console.log(
    `| read | ${counts.map((loans) => `Loans: ${loans}; p50 ms | per second`).join(' | ')} | ratio, same | all |`,
  );
  console.log(`|${' - |'.repeat(9)}`);
  for (const [name, first] of before) {
    const [again, wide] = [same.get(name), all.get(name)].map((result) => result as LoadResult);
    const cells = [first, again, wide].flatMap((result) => [result?.p50.toFixed(1), result?.perSecond.toFixed(0)]);
    const [ratio, wideRatio] = [again, wide].map((result) => (result?.p50 ?? Number.NaN) / first.p50);
    console.log(`| ${[name, ...cells, ratio?.toFixed(2), wideRatio?.toFixed(2)].join(' | ')} |`);
    if (!((ratio ?? Number.NaN) <= maxRatio)) process.exitCode = 1;
  }

  /** Returns the ids of the Loans that are copied. */
  async function recordBorrower(): Promise<readonly string[]> {
    const connection = await Connection.open(port);
    const send = (method: string, path: string, body: object) =>
      record(connection, signer, method, `/v1/tenants/${tenantId}${path}`, body);
    const { id } = await send('POST', '/product-configurations', {
      ...benchProduct,
      values: { ...benchProduct.values, terms: [3] },
    });
    await send('PUT', `/clients/${client}`, { actor: 'bench', basis: 'benchmark' });
    const issued: string[] = [];
    for (let index = 0; index < loansPerClient; index += 1) {
      const loan = { ...benchLoan(id, client, `loan-${index}`, '2026-01-15'), term_periods: 3 };
      issued.push((await send('POST', '/loans', loan)).id);
    }
    connection.close();
    return issued;
  }

  /** Of random Clients up to a number. */
  async function measureAll(clients: number): Promise<Map<string, LoadResult>> {
    const reads: Readonly<Record<string, (copy: number) => string>> = {
      Loan: (copy) => `/loans/${copiedId(loans[copy % loansPerClient] ?? '', copy)}`,
      'payment options': (copy) => `/clients/${client}-${copy}/payment-options?on=${on}`,
      "the Client's Loans": (copy) => `/loans?client_id=${client}-${copy}`,
      'newest 50 Loans': () => '/loans?limit=50',
    };
    const results = new Map<string, LoadResult>();
    for (const [name, pathOf] of Object.entries(reads)) {
      const requests = Array.from({ length: requestCount }, () => {
        const copy = 1 + Math.floor(Math.random() * clients);
        return readBytes(signer, `/v1/tenants/${tenantId}${pathOf(copy)}`);
      });
      await measure(requests, warmUpSeconds);
      results.set(name, await measure(requests, seconds));
      printComment(`${name}: ${results.get(name)?.perSecond.toFixed(0)} per second of ${clients} Clients`);
    }
    return results;
  }

  async function measure(requests: readonly Buffer[], durationSeconds: number): Promise<LoadResult> {
    const connections = await Promise.all(Array.from({ length: connectionCount }, () => Connection.open(port)));
    let sent = 0;
    const nextRequest = (): Buffer | undefined => {
      sent += 1;
      return requests[sent % requests.length];
    };
    const result = await runClosedLoop({ connections, durationMs: durationSeconds * 1_000, nextRequest });
    for (const connection of connections) connection.close();
    if (Object.keys(result.statuses).some((status) => status !== '200'))
      throw new Error(`unexpected statuses: ${JSON.stringify(result.statuses)}`);
    return result;
  }
});
