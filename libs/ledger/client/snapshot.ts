/**
 * A Client's book as one text: a first line of what it amounts to, then a line for each folded fact, as stored. A
 * snapshot of another format is dropped and the book folded from its facts.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { type Book, type Cause, type LateReversal, putAway, restoredBook } from '#libs/ledger/book.ts';
import { type ClientBook, emptyClientBook, type Quote, type Registration } from '#libs/ledger/client/client-book.ts';
import { type Credit, NO_CREDIT } from '#libs/ledger/client/credit.ts';
import { readHead, readMark, type StoredState, storeHead, storeMark } from '#libs/ledger/client/state-codec.ts';
import {
  emptyRecord,
  type FactRecord,
  type OrderOf,
  type RecordedFact,
  withRecorded,
  withUnread,
} from '#libs/ledger/fact-record.ts';
import { readFact } from '#libs/ledger/stored-facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/** Raised whenever what is written here, or the fold itself, reads differently. */
export const FORMAT = 6;

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
  /** How many steps were folded, and the day of the last one. */
  readonly steps: readonly [number, CivilDay | null];
  readonly head: StoredState;
  readonly marks: readonly { readonly at: number; readonly state: StoredState }[];
  readonly causes: readonly { readonly seq: number; readonly causes: readonly (readonly [string, Cause])[] }[];
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
    steps: [folded.steps.length, folded.lastOn ?? null],
    head: storeHead(folded.head),
    marks: marksKept(folded).map(({ at, state }) => ({ at, state: storeMark(state) })),
    causes: folded.causes.map(({ seq, causes }) => ({ seq, causes: [...causes] })),
    late: folded.lateReversals,
  };
  return [JSON.stringify(head), ...folded.log.lines(folded.length)].join('\n');
}

/** The book stays as it is; what is seldom asked for is kept as the lines of its snapshot. */
export function putAwayMoney({ folded }: ClientBook): void {
  putAway(folded, readLine);
}

/** Those of its marks that every process holds which holds the book. */
export function marksKept({ marks }: Book): Book['marks'] {
  return marks.filter(({ at }) => at % KEPT_MARKS === 0);
}

export function decodeClientBook(text: string): ClientBook | undefined {
  const end = endOfLine(text, 0);
  const first = text.slice(0, end);
  if (!first.startsWith(`{"format":${FORMAT},`)) return undefined;
  const told = JSON.parse(first) as Head;
  const { tenantId, clientId, sequence, registration, quotes, credit = NO_CREDIT, head, marks, causes, late } = told;
  const record = readRecord(text, end + 1);
  const standing = readHead(head, record.loans);
  const [count, lastOn] = told.steps;
  const folded: Book = restoredBook(record, count, {
    lastOn: lastOn ?? undefined,
    head: standing,
    marks: marks.map(({ at, state }) => ({ at, state: readMark(state, record.loans, standing) })),
    causes: causes.map((since) => ({ seq: since.seq, causes: new Map(since.causes) })),
    lateReversals: late,
  });
  return {
    ...emptyClientBook(tenantId, clientId),
    sequence,
    ...(registration === undefined ? {} : { registration }),
    quotes,
    credit,
    folded,
  };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The facts in the lines from a place of the text on. */
function readRecord(text: string, from: number): FactRecord {
  let record = emptyRecord();
  for (let start = from; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    record = isOfMoney(line)
      ? withUnread(record, { line, read: readLine })
      : withRecorded(record, readLine(line, record.log.orderOf));
    start = end + 1;
  }
  return record;
}

/** What is most of a long book, and read by few answers: the state says what the money came to. */
function isOfMoney(line: string): boolean {
  const kind = line.indexOf('\t', line.indexOf('\t') + 1) + 1;
  return line.startsWith('receipt_reported\t', kind) || line.startsWith('receipt_reversed\t', kind);
}

function readLine(line: string, orderOf: OrderOf): RecordedFact {
  const afterSeq = line.indexOf('\t');
  const afterAt = line.indexOf('\t', afterSeq + 1);
  const afterKind = line.indexOf('\t', afterAt + 1);
  const kind = line.slice(afterAt + 1, afterKind);
  const body = JSON.parse(line.slice(afterKind + 1)) as JsonObject;
  const seq = Number(line.slice(0, afterSeq));
  return { seq, at: line.slice(afterSeq + 1, afterAt), line, ...readFact(kind, body, orderOf) };
}
