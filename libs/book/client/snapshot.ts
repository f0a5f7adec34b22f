/**
 * A Client's book as one text: a first line of what it amounts to, then a line for each folded fact, as stored. A
 * snapshot of another format is dropped and the book folded from its facts.
 */
import { type Book, type Cause, type LateReversal, restoredBook } from '#libs/book/book.ts';
import {
  type ClientBook,
  emptyClientBook,
  knownOrder,
  type Quote,
  type Registration,
} from '#libs/book/client/client-book.ts';
import { type Credit, NO_CREDIT } from '#libs/book/client/credit.ts';
import { readHead, readMark, type StoredState, storeHead, storeMark } from '#libs/book/client/state-codec.ts';
import { emptyRecord, type Recorded, withRecorded } from '#libs/book/record.ts';
import { readFact } from '#libs/book/stored-facts.ts';
import type { JsonObject } from '#libs/contract/json.ts';

/** Raised whenever what is written here, or the fold itself, reads differently. */
export const FORMAT = 4;

/** Of the marks every so many are kept: a book read again folds at most this much more. */
const KEPT_MARKS = 256;

type Head = {
  readonly format: number;
  readonly tenantId: string;
  readonly clientId: string;
  readonly sequence: number;
  readonly registration?: Registration;
  readonly quotes: readonly Quote[];
  readonly credit?: Credit;
  readonly head: StoredState;
  readonly marks: readonly { readonly at: number; readonly state: StoredState }[];
  readonly causes: readonly (readonly [string, Cause])[];
  readonly late: readonly LateReversal[];
};

export function encodeClientBook(book: ClientBook): string {
  const { tenantId, clientId, sequence, registration, quotes, credit, folded } = book;
  const head: Head = {
    format: FORMAT,
    tenantId,
    clientId,
    sequence,
    ...(registration === undefined ? {} : { registration }),
    quotes,
    ...(credit === NO_CREDIT ? {} : { credit }),
    head: storeHead(folded.head),
    marks: folded.marks
      .filter(({ at }) => at % KEPT_MARKS === 0)
      .map(({ at, state }) => ({ at, state: storeMark(state) })),
    causes: [...folded.causes],
    late: folded.lateReversals,
  };
  const lines = [JSON.stringify(head)];
  for (const { seq, at, stored } of folded.log.facts(folded.length)) {
    if (stored === undefined) throw new Error('a fact of a kept book is kept as it was stored');
    lines.push(`${seq}\t${at}\t${stored.kind}\t${stored.body}`);
  }
  return lines.join('\n');
}

export function decodeClientBook(text: string): ClientBook | undefined {
  const [first = '', ...lines] = text.split('\n');
  if (!first.startsWith(`{"format":${FORMAT},`)) return undefined;
  const told = JSON.parse(first) as Head;
  const { tenantId, clientId, sequence, registration, quotes, credit = NO_CREDIT, head, marks, causes, late } = told;
  let record = emptyRecord();
  const book: ClientBook = emptyClientBook(tenantId, clientId);
  const orderOf = (loanId: string) => knownOrder({ ...book, folded: { ...book.folded, ...record } }, loanId);
  for (const line of lines) record = withRecorded(record, readLine(line, orderOf));
  const standing = readHead(head, record.loans);
  const folded: Book = restoredBook(record, {
    head: standing,
    marks: marks.map(({ at, state }) => ({ at, state: readMark(state, record.loans, standing) })),
    causes: new Map(causes),
    lateReversals: late,
  });
  return { ...book, sequence, ...(registration === undefined ? {} : { registration }), quotes, credit, folded };
}

function readLine(line: string, orderOf: (loanId: string) => number): Recorded {
  const [seq, at, kind, ...rest] = line.split('\t') as [string, string, string, ...string[]];
  // A tab inside the body would have been escaped: this only undoes the split.
  const body = rest.join('\t');
  return { seq: Number(seq), at, stored: { kind, body }, ...readFact(kind, JSON.parse(body) as JsonObject, orderOf) };
}
