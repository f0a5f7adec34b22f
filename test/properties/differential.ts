/**
 * Runs random books through the reference model and through an implementation and reports where they differ.
 * node test/properties/differential.ts --books 2000 --seed 1 [--size 18] [--groups 12] [--implementation PATH] [--only TEXT]
 * A failing property test prints the seed of its book: node test/properties/differential.ts --book SEED
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type AnswerBook, type Difference, differencesOf } from '#test/properties/random-book/differences.ts';
import { randomBook } from '#test/properties/random-book/random-book.ts';
import { shrinkBook } from '#test/properties/random-book/shrink-book.ts';
import { answerBook } from '#test/reference-model/answer-book.ts';
import type { BookInput } from '#test/reference-model/input.ts';

const { values: options } = parseArgs({
  options: {
    books: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    book: { type: 'string' },
    size: { type: 'string', default: '18' },
    groups: { type: 'string', default: '12' },
    only: { type: 'string', default: '' },
    implementation: { type: 'string', default: new URL('production-fold.ts', import.meta.url).pathname },
  },
});

interface Group {
  count: number;
  seed: number;
  input: BookInput;
}

const implementation = await load(options.implementation);
const groups = new Map<string, Group>();
const start = performance.now();
let differing = 0;

const books = options.book === undefined ? Number(options.books) : 1;
for (let i = 0; i < books; i += 1) {
  const seed = Number(options.book ?? (Number(options.seed) * 1_000_003 + i) % 0x7fffffff);
  const input = randomBook(seed, Number(options.size));
  const differences = differencesOf(input, answerBook, implementation).filter(({ group }) =>
    group.includes(options.only),
  );
  if (differences.length > 0) differing += 1;
  for (const { group } of differences) {
    const known = groups.get(group);
    if (known === undefined) groups.set(group, { count: 1, seed, input });
    else known.count += 1;
    // Show each group with its smallest book.
    if (known !== undefined && input.facts.length < known.input.facts.length) Object.assign(known, { seed, input });
  }
}

report();
process.exitCode = differing === 0 ? 0 : 1;

async function load(path: string): Promise<AnswerBook> {
  const module: Record<string, unknown> = await import(pathToFileURL(resolve(path)).href);
  const { answerBook: answer } = module;
  if (typeof answer !== 'function') throw new Error(`${path} exports no answerBook(input)`);
  return answer as AnswerBook;
}

function report(): void {
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const byCount = [...groups].sort(([, a], [, b]) => b.count - a.count);
  for (const [group, { count, seed, input }] of byCount.slice(0, Number(options.groups))) {
    const smallest = shrinkBook(input, group, answerBook, implementation);
    const difference = differencesOf(smallest, answerBook, implementation).find((each) => each.group === group);
    if (difference !== undefined) showGroup(group, count, seed, smallest, difference);
  }
  console.log('\nGroups of differences');
  for (const [group, { count }] of byCount) console.log(`${String(count).padStart(7)}  ${group}`);
  console.log(`\n${books} books, ${differing} differ, ${groups.size} groups, ${seconds} s`);
}

function showGroup(group: string, count: number, seed: number, input: BookInput, difference: Difference): void {
  console.log(`\n== ${group}   (${count} times; seed ${seed})`);
  console.log(`market ${JSON.stringify(input.market)}`);
  for (const [name, each] of Object.entries(input.configurations)) console.log(`${name} ${JSON.stringify(each)}`);
  input.facts.forEach((fact, place) => {
    console.log(`${place === difference.fact ? '->' : '  '} ${place} ${JSON.stringify(fact)}`);
  });
  for (const question of input.questions) console.log(` ? ${JSON.stringify(question)}`);
  console.log(`at ${difference.where}`);
  console.log(`  reference ${show(difference.reference)}`);
  console.log(`  other     ${show(difference.other)}`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent');
}
