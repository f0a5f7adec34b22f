import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { FORMAT } from '#libs/ledger/client/snapshot.ts';
import { storeHead } from '#libs/ledger/client/state-codec.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { keepBook } from './production.ts';

const books = new URL('../vectors/books/', import.meta.url);
const known = new URL('../vectors/snapshot-format.json', import.meta.url);

/** What every worked book is kept as, in short. */
function keptAs() {
  const names = readdirSync(books).filter((name) => name.endsWith('.json'));
  const digests = names.map((name) => {
    const { input } = JSON.parse(readFileSync(new URL(name, books), 'utf8')) as { input: BookInput };
    const text = JSON.stringify(storeHead(keepBook(input).book.head));
    return [name, createHash('sha256').update(text).digest('hex').slice(0, 16)];
  });
  return { format: FORMAT, books: Object.fromEntries(digests) };
}

// A snapshot of yesterday that reads differently today would be served until its book is folded anew. After raising
// FORMAT, SNAPSHOT_FORMAT=new writes the file again.
test('what a book is kept as changes only together with the format of its snapshot', () => {
  if (process.env['SNAPSHOT_FORMAT'] === 'new') writeFileSync(known, `${JSON.stringify(keptAs(), undefined, 2)}\n`);
  expect(keptAs()).toEqual(JSON.parse(readFileSync(known, 'utf8')));
});
