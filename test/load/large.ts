/**
 * `npm run bench:large`: reads all pages of the dues and of the Loans for 1,000 and for 100,000 Clients in the same run. One
 * Client in a hundred is late; on the pay day all are due. The last page of a listing should cost what the first does.
 */
import { readBytes } from '#test/support/signed-request.ts';
import { type BenchEnvironment, printComment, withBenchEnvironment } from './bench-environment.ts';
import { type BenchLender, createBenchLender } from './bench-lender.ts';
import { Connection } from './connection.ts';
import { latencyPercentiles } from './latencies.ts';

const on = '2026-03-20';
/** A day on which all Clients are due. */
const payDay = '2026-04-10';
const clientCounts = [1_000, 100_000];
const maxPages = 400;
/** One Client in a hundred is late on the day; the others owe nothing yet. */
const anchorOf = (index: number): string => (index % 100 === 0 ? '2026-01-15' : '2026-03-10');

await withBenchEnvironment(bench);

async function bench({ stack, port }: BenchEnvironment): Promise<void> {
  console.log(
    '\n| Clients | listing | pages | items | p50 ms | p99 ms | max ms | mean of last ten ms |\n| - | - | - | - | - | - | - | - |',
  );
  for (const size of clientCounts) {
    const lender = await createBenchLender(stack, port, size, anchorOf);
    printComment(`created ${size} Clients`);
    // The first round compiles the code and fills the caches.
    for (const round of ['first round', 'second round']) {
      console.log(await row(lender, port, `${size}, ${round}`, `/dues?on=${on}&only=late&limit=50`, 'clients'));
      for (const limit of [50, 1]) {
        const name = `${size}, all due, ${limit} per page, ${round}`;
        console.log(await row(lender, port, name, `/dues?on=${payDay}&limit=${limit}`, 'clients'));
      }
      console.log(await row(lender, port, `${size}, ${round}`, '/loans?limit=50', 'loans'));
    }
  }
}

async function row(lender: BenchLender, port: number, name: string, path: string, member: string): Promise<string> {
  const connection = await Connection.open(port);
  const latencies: number[] = [];
  let items = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined && latencies.length < maxPages; ) {
    const target = `/v1/tenants/${lender.tenantId}${path}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const request = readBytes(lender.signer, target);
    const sentAt = performance.now();
    const response = await connection.send(request);
    latencies.push(performance.now() - sentAt);
    if (response.status !== 200) throw new Error(`${target}: ${response.status} ${response.body}`);
    const page = JSON.parse(response.body) as { cursor?: string } & Record<string, unknown[]>;
    items += page[member]?.length ?? 0;
    cursor = page.cursor;
  }
  connection.close();
  const lastTen = latencies.slice(-10);
  const mean = lastTen.reduce((sum, ms) => sum + ms, 0) / lastTen.length;
  const { p50, p99 } = latencyPercentiles(latencies);
  const figures = [p50, p99, Math.max(...latencies), mean].map((ms) => ms.toFixed(1));
  const listing = path.slice(0, path.indexOf('?'));
  return `| ${[name, listing, latencies.length, items, ...figures].join(' | ')} |`;
}
