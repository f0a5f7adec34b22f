/**
 * The facts about a Client's Loans, in the order of recording and in the order of the fold, and the state they fold to.
 * A value: adding a fact returns another one and leaves this one as it was.
 */

import { type CausesSince, type LateReversal, nextCauses, nextLateReversals } from '#libs/ledger/anomaly-causes.ts';
import { lazyList, listOf, replaceEquivalent, truncate } from '#libs/ledger/append-list.ts';
import { appendFact, emptyRecord, type FactRecord, recordAtLength } from '#libs/ledger/book-record.ts';
import {
  checkpointsBefore,
  type FoldedSteps,
  foldAll,
  foldFromCommonSteps,
  NO_STEPS,
  refold,
} from '#libs/ledger/checkpoints.ts';
import { type CooperativeTask, runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { ParseLine, RecordedFact } from '#libs/ledger/fact-log.ts';
import type { StepOutcome } from '#libs/ledger/fold.ts';
import { changeSteps, commonSteps, indexOfPosition, orderedSteps } from '#libs/ledger/step-list.ts';
import { lazyReceiptStep, type StepPosition } from '#libs/ledger/steps.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';

export type FoldedFacts = FactRecord &
  FoldedSteps & {
    /** One entry for each change, so that the causes after any earlier fact are known. */
    readonly causes: readonly CausesSince[];
    readonly lateReversals: readonly LateReversal[];
  };

export const EMPTY_BOOK: FoldedFacts = { ...emptyRecord(), ...NO_STEPS, causes: [], lateReversals: [] };

/** The book with one more fact, and the outcome of the fact's own step (none where it only changes another step). */
export type FactAddition = { readonly book: FoldedFacts; readonly outcome: StepOutcome | undefined };

export function addFact(book: FoldedFacts, entry: RecordedFact, calendars: Calendars): FactAddition {
  const record = appendFact(book, entry);
  const change = changeSteps(book.steps, book, record, entry.seq, entry.fact);
  const lateReversals = nextLateReversals(book.lateReversals, book, entry);
  const { causes } = book;
  const added = refold(book, change, { ...record, causes, lateReversals }, calendars);
  // Only the rules of acts can fail.
  if (record.loans.every(({ acts }) => acts.length === 0)) return added;
  const next = nextCauses(causes, book.head, added.book.head, entry);
  return next === causes ? added : { ...added, book: { ...added.book, causes: next } };
}

/** Removes a fact that was not admitted from the append-only lists that both values share. */
export function discardAddition(book: FoldedFacts, addedTo: FoldedFacts): void {
  addedTo.log.dropLast(book.length);
  if (addedTo.steps.items === book.steps.items) truncate(addedTo.steps.items, book.steps.length);
}

/** The book as it was when it held `length` facts. */
export function bookAtLength(book: FoldedFacts, length: number, calendars: Calendars): FoldedFacts {
  return runToEnd(foldToLength(book, length, calendars));
}

/** Refolds only from the first step that differs, and yields at each checkpoint. */
export function* foldToLength(book: FoldedFacts, length: number, calendars: Calendars): CooperativeTask<FoldedFacts> {
  if (length >= book.length) return book;
  const record = recordAtLength(book, length);
  const steps = listOf(orderedSteps(record));
  const folded = yield* foldFromCommonSteps(book, commonSteps(book.steps, steps), steps, calendars);
  const { seq } = length === 0 ? { seq: 0 } : book.log.entryAt(length - 1);
  return {
    ...record,
    ...folded,
    causes: book.causes.filter((since) => since.seq <= seq),
    lateReversals: book.lateReversals.filter((late) => late.seq <= seq),
  };
}

/** The figures of a record. Causes and late reversals are not known of it: it reports no anomalies. */
export function* foldRecord(record: FactRecord, calendars: Calendars): CooperativeTask<FoldedFacts> {
  const folded = yield* foldAll(listOf(orderedSteps(record)), calendars);
  return { ...record, ...folded, causes: [], lateReversals: [] };
}

/** How many steps need not be folded again where something changes at the position. */
export function stepsKeptBefore(book: FoldedFacts, position: StepPosition): number {
  return checkpointsBefore(book, indexOfPosition(book.steps, position)).resumeFrom.at;
}

export type RestoredFold = Omit<FoldedFacts, keyof FactRecord | 'steps'>;

/** A book from its record and from what its `count` steps were folded to. The steps are built when they are needed. */
export function restoreBook(record: FactRecord, count: number, folded: RestoredFold): FoldedFacts {
  return { ...record, ...folded, steps: lazyList(count, () => orderedSteps(record)) };
}

/**
 * Stores Receipts and reversals, the bulk of a long book, as snapshot lines, and parses one only when it is read. Saves
 * memory and garbage collection; every answer stays the same.
 */
export function compactLog({ log, length, steps }: FoldedFacts, parse: ParseLine): void {
  const indexes = log.compactReceipts(length, parse);
  replaceEquivalent(steps, (step) => {
    const index = step.type === 'receipt' ? indexes.get(step.seq) : undefined;
    return index === undefined ? step : lazyReceiptStep(step, log, index);
  });
}
