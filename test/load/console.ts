/**
 * `npm run bench:console -- [--clients 1000000] [--loans 10000]`: the time of every page of the console for a Tenancy with this
 * many Clients, one of which has this many Loans. Fails where a page has another status than expected, or takes too long once
 * its book is in memory. The first read is stated apart: its book may have to be loaded.
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Database } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { newToken } from '#libs/people/secret-tokens.ts';
import { ConsoleVisitor } from '#test/browser/console-visitor.ts';
import { addConsolePerson, openConsoleSession } from '#test/support/console-person.ts';
import { withBenchEnvironment } from './bench-environment.ts';
import { createConsoleLender } from './console-lender.ts';
import { type MeasuredPage, measuredPages } from './console-pages.ts';
import { percentile } from './latencies.ts';

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '1000000' }, loans: { type: 'string', default: '10000' } },
});
const counts = { clients: Number(values.clients), loans: Number(values.loans) };
const readsOfPage = 20;
const maxMs = 300;

await withBenchEnvironment(async (environment) => {
  const lender = await createConsoleLender(environment, counts);
  const database = openDatabase({ url: environment.stack.servicesDatabaseUrl, name: 'bench', connections: 1 });
  const visitor = await signIn(database, environment.services.consoleUrl);
  const as = { tenantId: lender.id, role: 'support' } as const;
  const { id: person } = await addConsolePerson(database, {
    email: 'support@lender.example',
    as,
    password: newToken(),
  });
  await database.end();
  const pages = await measuredPages(lender, visitor, person);
  console.log(`\n${counts.clients} Clients, one with ${counts.loans} Loans\n`);
  console.log(
    '| page | status | first ms | p50 ms | max of the others ms | kB compressed | |\n| - | - | - | - | - | - | - |',
  );
  let failed = 0;
  for (const page of pages) {
    const { row, fault } = await measure(visitor, page);
    if (fault !== '') failed += 1;
    console.log(`${row} ${fault} |`.replaceAll(lender.id, 'ID'));
  }
  console.log(`\n${pages.length} pages; ${failed} with another status than expected or over ${maxMs} ms`);
  process.exitCode = failed === 0 ? 0 : 1;
});

async function signIn(database: Database, url: string): Promise<ConsoleVisitor> {
  const person = await addConsolePerson(database, {
    email: 'bench@lender.example',
    as: 'operator',
    password: newToken(),
  });
  return new ConsoleVisitor({ session: await openConsoleSession(database, person), url });
}

async function measure(visitor: ConsoleVisitor, page: MeasuredPage) {
  const { path, form, status: expected = 200 } = page;
  const times: number[] = [];
  const statuses = new Set<number>();
  let text = '';
  for (let count = 0; count < readsOfPage; count += 1) {
    const startedAt = performance.now();
    const answer = await (form === undefined ? visitor.get(path) : visitor.post(path, form));
    times.push(performance.now() - startedAt);
    statuses.add(answer.status);
    text = answer.text;
  }
  const [first = Number.NaN, ...others] = times;
  const sorted = others.toSorted((a, b) => a - b);
  const p50 = percentile(sorted, 0.5);
  const figures = [first, p50, sorted.at(-1) ?? Number.NaN, gzipSync(text).length / 1_000];
  const faults = [
    ...(statuses.size === 1 && statuses.has(expected) ? [] : [`expected ${expected}`]),
    ...(p50 > maxMs ? ['slow'] : []),
  ];
  const name = form === undefined ? path : `POST ${path}`;
  const cells = [`\`${name}\``, [...statuses].join(' '), ...figures.map((figure) => figure.toFixed(1))];
  return { row: `| ${cells.join(' | ')} |`, fault: faults.join(', ') };
}
