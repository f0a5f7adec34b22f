/**
 * Decides a batch in memory: every submission in the order of its partition, each on the book that the one before left.
 * Pure but for the clock it is given.
 */
import type { ReferenceName } from '#libs/database/references.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import {
  type BatchInput,
  type BatchReferences,
  type BatchResult,
  emptyBatchResult,
  type WorkingBook,
  workingBook,
} from './batch-result.ts';
import { decideRelease } from './decide-release.ts';
import { decideSubmission, referenceNameOf } from './decide-submission.ts';
import {
  type DecodedEntry,
  type EntryItem,
  isDecoded,
  type LogEntry,
  parseBookKey,
  submissionsOf,
  type UndecodableEntry,
} from './log-entry.ts';
import { SubmissionVerdict, type VerdictOutcome } from './verdict.ts';

export function decideBatch(input: BatchInput): BatchResult {
  const result = emptyBatchResult();
  const references: BatchReferences = new Map();
  for (const entry of input.entries) {
    if (!isDecoded(entry)) parkUndecodable(result, input, entry);
    else if (entry.release !== undefined)
      decideRelease(result, input, references, { ...entry, release: entry.release });
    else for (const item of entry.items) decideItem(result, input, references, entry, item);
  }
  return result;
}

/** Every reference that the submissions of these entries state. */
export function referencesIn(entries: readonly LogEntry[]): ReferenceName[] {
  return entries.flatMap((entry) =>
    isDecoded(entry) ? submissionsOf(entry).flatMap((submission) => referenceNameOf(submission) ?? []) : [],
  );
}

/**
 * True if looking up recorded references could not change a verdict. A late submission is `contended` whatever was
 * recorded: without this exception overloaded batches would be decided twice.
 */
export function isIndependentOfReferences({ verdicts }: BatchResult): boolean {
  return verdicts.every(({ outcome }) => !isRefusal(outcome) || outcome.code === 'contended');
}

function decideItem(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  entry: DecodedEntry,
  item: EntryItem,
): void {
  const { record, partition } = entry;
  const book = workingBook(result, input, partition, item.submission);
  let outcome: VerdictOutcome = refuse('internal_error');
  if (book.parked) {
    // Behind a parked submission the book is incomplete: nothing more of it is decided.
    result.parked.push({ entry, book: item.submission, item, cause: undefined });
  } else {
    try {
      outcome = decideOrThrow(result, input, references, entry, item, book);
    } catch (cause) {
      book.parked = true;
      result.parked.push({ entry, book: item.submission, item, cause });
    }
  }
  result.verdicts.push(new SubmissionVerdict(record, partition, item.source.item, outcome));
}

/** What is thrown here parks the book. */
function decideOrThrow(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  entry: DecodedEntry,
  item: EntryItem,
  book: WorkingBook,
): VerdictOutcome {
  if (book.before.replayError !== undefined) throw book.before.replayError;
  if (input.clock() > entry.record.patience_ends_at) return refuse('contended');
  const failure = entry.failures?.get(item);
  if (failure !== undefined) throw failure;
  return decideSubmission(result, input, references, { entry, item, book });
}

/** The record's key names the book: that book is parked, the others go on. */
function parkUndecodable(result: BatchResult, input: BatchInput, entry: UndecodableEntry): void {
  const book = parseBookKey(entry.source.key);
  result.parked.push({ entry, book, item: undefined, cause: entry.cause });
  if (book !== undefined) workingBook(result, input, entry.partition, book).parked = true;
}
