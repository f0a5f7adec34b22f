/** The stored form of the worked books, as a guard for the snapshot format. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { snapshotFormat } from '#libs/ledger/client/snapshot.ts';
import { encodeHead } from '#libs/ledger/client/state-codec.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { buildProductionBook } from './production-fold.ts';

const books = new URL('../vectors/books/', import.meta.url);
const known = new URL('../vectors/snapshot-format.json', import.meta.url);

/** A digest of the stored form of every worked book. */
function storedDigests() {
  const names = readdirSync(books).filter((name) => name.endsWith('.json'));
  const digests = names.map((name) => {
    const { input } = JSON.parse(readFileSync(new URL(name, books), 'utf8')) as { input: BookInput };
    const text = runToEnd(encodeHead(buildProductionBook(input).book.head));
    return [name, createHash('sha256').update(text).digest('hex').slice(0, 16)];
  });
  return { format: snapshotFormat, books: Object.fromEntries(digests) };
}

// A snapshot written by an earlier release would be read wrongly if its form changed without a new FORMAT. After raising
// FORMAT, SNAPSHOT_FORMAT=new writes the file again.
test('the stored form of a book changes only together with the snapshot format', () => {
  if (process.env['SNAPSHOT_FORMAT'] === 'new')
    writeFileSync(known, `${JSON.stringify(storedDigests(), undefined, 2)}\n`);
  expect(storedDigests()).toEqual(JSON.parse(readFileSync(known, 'utf8')));
});
