/**
 * The snapshot of a Client's book: one line of JSON with its state, then one line per folded fact. A snapshot of another
 * format is dropped and the book is folded from its facts.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { manifest } from '#libs/ledger/acts/manifest.ts';
import type { AnomalyCause, LateReversal } from '#libs/ledger/anomaly-causes.ts';
import { compactLog, type FoldedFacts, restoreBook } from '#libs/ledger/book.ts';
import { appendFact, appendUnparsed, emptyRecord, type FactRecord } from '#libs/ledger/book-record.ts';
import type { Checkpoint } from '#libs/ledger/checkpoints.ts';
import {
  type ClientBook,
  emptyClientBook,
  type PayoffQuote,
  type Registration,
} from '#libs/ledger/client/client-book.ts';
import { type CreditRecords, NO_CREDIT } from '#libs/ledger/client/credit-records.ts';
import {
  decodeCheckpoint,
  decodeHead,
  encodeCheckpoint,
  encodeHead,
  type StoredCheckpoint,
  type StoredHead,
} from '#libs/ledger/client/state-codec.ts';
import { type CooperativeTask, itemsPerPart } from '#libs/ledger/cooperative-loop.ts';
import type { LoanOrderOf, ParseLine, RecordedFact } from '#libs/ledger/fact-log.ts';
import type { BookState } from '#libs/ledger/fold.ts';
import { bodyOfLine, readFact } from '#libs/ledger/stored-facts.ts';

/** Raise this number whenever the snapshot or the fold reads differently. */
export const snapshotFormat = 7;

/** Checkpoints at multiples of this number of steps are stored. It bounds the steps a decoded book folds again. */
const storedCheckpointInterval = 256;

type SnapshotHead = {
  readonly format: number;
  readonly tenantId: string;
  readonly clientId: string;
  readonly sequence: number;
  readonly registration?: Registration;
  readonly quotes: readonly PayoffQuote[];
  readonly credit?: CreditRecords;
  /** The number of folded steps, and the day of the last one. */
  readonly steps: readonly [number, CivilDay | null];
  readonly head: StoredHead;
  readonly marks: readonly { readonly at: number; readonly state: StoredCheckpoint }[];
  readonly causes: readonly { readonly seq: number; readonly causes: readonly (readonly [string, AnomalyCause])[] }[];
  readonly late: readonly LateReversal[];
};

export function* encodeClientBook(book: ClientBook): CooperativeTask<string> {
  const { tenantId, clientId, sequence, registration, quotes, credit, folded } = book;
  const before: Omit<SnapshotHead, 'head' | 'marks' | 'causes' | 'late'> = {
    format: snapshotFormat,
    tenantId,
    clientId,
    sequence,
    ...(registration === undefined ? {} : { registration }),
    quotes,
    ...(credit === NO_CREDIT ? {} : { credit }),
    steps: [folded.steps.length, folded.lastOn ?? null],
  };
  const head = yield* encodeHead(folded.head);
  const marks = yield* encodeCheckpoints(folded);
  const after: Pick<SnapshotHead, 'causes' | 'late'> = {
    causes: folded.causes.map(({ seq, causes }) => ({ seq, causes: [...causes] })),
    late: folded.lateReversals,
  };
  const first = `${JSON.stringify(before).slice(0, -1)},"head":${head},"marks":${marks},${JSON.stringify(after).slice(1)}`;
  return [first, ...folded.log.lines(folded.length)].join('\n');
}

function* encodeCheckpoints(folded: FoldedFacts): CooperativeTask<string> {
  const stored = storedCheckpoints(folded);
  const texts: string[] = [];
  for (const [index, { at, state }] of stored.entries()) {
    const next = stored[index + 1]?.state ?? folded.head;
    texts.push(`{"at":${at},"state":${yield* encodeCheckpoint(state, next)}}`);
  }
  return `[${texts.join(',')}]`;
}

/** From the last one back, because each is stored beside the next. */
function* decodeCheckpoints(
  marks: SnapshotHead['marks'],
  loans: FactRecord['loans'],
  head: BookState,
): CooperativeTask<Checkpoint[]> {
  const decoded: Checkpoint[] = [];
  let next = head;
  for (const { at, state } of marks.toReversed()) {
    next = yield* decodeCheckpoint(state, loans, next);
    decoded.push({ at, state: next });
  }
  return decoded.reverse();
}

/** Keeps Receipts, which few reads need, as snapshot lines to save memory. The book reads the same. */
export function compactReceipts({ folded }: ClientBook): void {
  compactLog(folded, readFactLine);
}

/** The checkpoints that every process holds, whether it folded the book or decoded it. */
export function storedCheckpoints({ checkpoints }: FoldedFacts): FoldedFacts['checkpoints'] {
  return checkpoints.filter(({ at }) => at % storedCheckpointInterval === 0);
}

export function* decodeClientBook(text: string, acts = manifest): CooperativeTask<ClientBook | undefined> {
  const end = endOfLine(text, 0);
  const first = text.slice(0, end);
  if (!first.startsWith(`{"format":${snapshotFormat},`)) return undefined;
  const snapshot: SnapshotHead = JSON.parse(first);
  const {
    tenantId,
    clientId,
    sequence,
    registration,
    quotes,
    credit = NO_CREDIT,
    head,
    marks,
    causes,
    late,
  } = snapshot;
  const record = yield* readRecord(text, end + 1, (line, orderOf) => readFactLine(line, orderOf, acts));
  const state = yield* decodeHead(head, record.loans);
  const [count, lastOn] = snapshot.steps;
  const folded: FoldedFacts = restoreBook(record, count, {
    lastOn: lastOn ?? undefined,
    head: state,
    checkpoints: yield* decodeCheckpoints(marks, record.loans, state),
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

/** The facts in the lines of the text from an offset on. */
function* readRecord(text: string, from: number, parse: ParseLine): CooperativeTask<FactRecord> {
  let record = emptyRecord();
  for (let start = from; start < text.length; ) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    record = isReceiptLine(line)
      ? appendUnparsed(record, { line, parse })
      : appendFact(record, parse(line, record.log.orderOf));
    start = end + 1;
    if (record.length % itemsPerPart === 0) yield;
  }
  return record;
}

/** Receipts and reversals are most of a long book and are read by few answers, so they are parsed when needed. */
function isReceiptLine(line: string): boolean {
  const kind = line.indexOf('\t', line.indexOf('\t') + 1) + 1;
  return line.startsWith('receipt_reported\t', kind) || line.startsWith('receipt_reversed\t', kind);
}

function readFactLine(line: string, orderOf: LoanOrderOf, acts = manifest): RecordedFact {
  const afterSeq = line.indexOf('\t');
  const afterAt = line.indexOf('\t', afterSeq + 1);
  const kind = line.slice(afterAt + 1, line.indexOf('\t', afterAt + 1));
  const body: unknown = JSON.parse(bodyOfLine(line));
  const seq = Number(line.slice(0, afterSeq));
  return { seq, at: line.slice(afterSeq + 1, afterAt), line, ...readFact(kind, body, orderOf, acts) };
}
