/** Estimates how much memory a book takes, from its encoded facts: walking the book at each change would cost too much. */

import { parsedJsonBytes, textBytes } from '#libs/schema/json-bytes.ts';

/** What each fact takes besides its text: its values, its places in the lists and its share of the checkpoints. */
const bytesPerFact = 1_200;
/** A book without facts. */
export const emptyBookBytes = 2_048;

/** Receipts and reversals are kept as text, which is most of them. Other facts are kept parsed too. As `bytes_of_fact` of the database. */
const kindsKeptAsText: ReadonlySet<string> = new Set(['receipt_reported', 'receipt_reversed']);

export function factBytes({ kind, body }: { readonly kind: string; readonly body: string }): number {
  const parsed = kindsKeptAsText.has(kind) ? 0 : parsedJsonBytes(body);
  return bytesPerFact + textBytes(body) + parsed;
}

/** The first line of a snapshot is parsed when it is read; the others are the texts of facts. */
export function snapshotBytes(snapshot: string, factCount: number): number {
  const headEnd = snapshot.indexOf('\n');
  const head = headEnd === -1 ? snapshot : snapshot.slice(0, headEnd);
  return emptyBookBytes + textBytes(snapshot) + parsedJsonBytes(head) + bytesPerFact * factCount;
}

/** A book of which only the number of facts and about the memory of their bodies are known. */
export function estimatedBookBytes(bodyBytes: number, factCount: number): number {
  return emptyBookBytes + bodyBytes + bytesPerFact * factCount;
}
