/**
 * Decides a batch in memory: every submission in the order of its partition, each on the book that the one before left.
 * Pure but for the clock it is given.
 */
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { BatchDecision, type BatchInput, decideSubmission, type SubmissionTask } from './batch-decision.ts';
import { isDecoded, parseBookKey, type UndecodableEntry } from './log-entry.ts';
import { decideRelease } from './release-parked-book.ts';
import type { VerdictOutcome } from './verdict.ts';

export function decideBatch(input: BatchInput): BatchDecision {
  const batch = new BatchDecision(input);
  for (const entry of input.entries) {
    if (!isDecoded(entry)) parkUndecodable(batch, entry);
    else if (entry.portion !== undefined) decideRelease(batch, entry, entry.portion);
    else {
      for (const item of entry.items) {
        const book = batch.workingBook(entry.partition, item.submission);
        batch.addVerdict(entry, item, decideOrPark(batch, { entry, item, book }));
      }
    }
  }
  return batch;
}

/**
 * True if looking up recorded references could not change a verdict. A late submission is `contended` whatever was
 * recorded: without this exception overloaded batches would be decided twice.
 */
export function isIndependentOfReferences({ verdicts }: BatchDecision): boolean {
  return verdicts.every(({ outcome }) => !isRefusal(outcome) || outcome.code === 'contended');
}

function decideOrPark(batch: BatchDecision, task: SubmissionTask): VerdictOutcome {
  // Behind a parked submission the book is incomplete: nothing more of it is decided.
  if (task.book.parked) return park(batch, task, undefined);
  try {
    return decideOrThrow(batch, task);
  } catch (cause) {
    return park(batch, task, cause);
  }
}

function decideOrThrow(batch: BatchDecision, task: SubmissionTask): VerdictOutcome {
  const { entry, item, book } = task;
  if (book.before.replayError !== undefined) throw book.before.replayError;
  if (batch.isLate(entry) || batch.isContended(item)) return refuse('contended');
  const failure = entry.failures?.get(item);
  if (failure !== undefined) throw failure;
  return decideSubmission(batch, task);
}

function park(batch: BatchDecision, { entry, item, book }: SubmissionTask, cause: unknown): Refusal {
  book.parked = true;
  batch.parked.push({ entry, book: item.submission, item, cause });
  return refuse('internal_error');
}

/** The record's key names the book: that book is parked, the others go on. */
function parkUndecodable(batch: BatchDecision, entry: UndecodableEntry): void {
  const book = parseBookKey(entry.source.key);
  batch.parked.push({ entry, book, item: undefined, cause: entry.cause });
  if (book !== undefined) batch.workingBook(entry.partition, book).parked = true;
}
