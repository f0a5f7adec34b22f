/**
 * `npm run bench:large`: pages of what is due and of the Loans over a hundred thousand Clients of whom a thousand are late,
 * and of what is due on a pay day, when all of them are; beside the same pages over a hundredth of them, in one house in the
 * same minutes. Every page of a listing is asked for, by its cursor, so that the last costs what the first does.
 */
import { authorization, Line } from './caller.ts';
import { type House, inNewHouse, say } from './house.ts';
import { type Lender, openLender } from './lender.ts';

const on = '2026-03-20';
/** A day on which everybody is due. */
const payDay = '2026-04-10';
const sizes = [1_000, 100_000];
const mostPages = 400;
/** One in a hundred is late on the day; of the others nothing has fallen due. */
const anchorOf = (nth: number): string => (nth % 100 === 0 ? '2026-01-15' : '2026-03-10');

await inNewHouse(bench);

async function bench({ stack, port }: House): Promise<void> {
  console.log(
    '\n| Clients | pages of | pages | items | p50 ms | p99 ms | slowest | the last ten |\n| - | - | - | - | - | - | - | - |',
  );
  for (const size of sizes) {
    const lender = await openLender(stack, port, size, anchorOf);
    say(`${size} Clients are there`);
    // Twice: what is read the first time is compiled, and taken out of the store.
    for (const round of ['first', 'again']) {
      console.log(await row(lender, port, `${size}, ${round}`, `/dues?on=${on}&only=late&limit=50`, 'clients'));
      for (const limit of [50, 1]) {
        const name = `${size}, all due, ${limit} a page, ${round}`;
        console.log(await row(lender, port, name, `/dues?on=${payDay}&limit=${limit}`, 'clients'));
      }
      console.log(await row(lender, port, `${size}, ${round}`, '/loans?limit=50', 'loans'));
    }
  }
}

async function row(lender: Lender, port: number, name: string, path: string, member: string): Promise<string> {
  const line = await Line.open(port);
  const took: number[] = [];
  let items = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined && took.length < mostPages; ) {
    const target = `/v1/tenants/${lender.tenantId}${path}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const signed = authorization(lender.signer, { method: 'GET', target, body: new Uint8Array() });
    const from = performance.now();
    const told = await line.send(
      Buffer.from(`GET ${target} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${signed}\r\n\r\n`),
    );
    took.push(performance.now() - from);
    if (told.status !== 200) throw new Error(`${target}: ${told.status} ${told.body}`);
    const page = JSON.parse(told.body) as { cursor?: string } & Record<string, unknown[]>;
    items += page[member]?.length ?? 0;
    cursor = page.cursor;
  }
  line.close();
  const lastTen = took.slice(-10);
  const mean = lastTen.reduce((sum, ms) => sum + ms, 0) / lastTen.length;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] as number).toFixed(1);
  return `| ${name} | ${path.slice(0, path.indexOf('?'))} | ${took.length} | ${items} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${mean.toFixed(1)} |`;
}
