/**
 * A batch takes its turns: every submission in the order of its partition, each on the book the one before left.
 * In memory alone; nothing here is known to anyone before it is committed. No IO, and no clock but the one handed in.
 */

import type { ReferenceName } from '#libs/database/references.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { decidedNow, referenceNameOf, type Turned } from './decide-submission.ts';
import {
  bookOfKey,
  type DecodedEntry,
  isReadable,
  type LogEntry,
  type PendingItem,
  submissionsOf,
} from './log-entry.ts';
import { settleRelease } from './release.ts';
import { type BatchInput, type BatchResult, emptyTurn, workingOn } from './turn-state.ts';
import { Verdict, type VerdictOutcome } from './verdict.ts';

/** Every reference the batch may have to be held to. */
export function referencesOf(taken: readonly LogEntry[]): ReferenceName[] {
  return taken.flatMap((each) =>
    isReadable(each) ? submissionsOf(each).flatMap((submission) => referenceNameOf(submission) ?? []) : [],
  );
}

/**
 * Whether nothing was said that a reference recorded elsewhere would have come before. What is contended is so whether
 * its reference is recorded or not, and under load, where most of it is said, the batch must not be decided twice.
 */
export function isWhole({ verdicts }: BatchResult): boolean {
  return verdicts.every(({ outcome }) => !isRefusal(outcome) || outcome.code === 'contended');
}

export function decideBatch(input: BatchInput): BatchResult {
  const turn = emptyTurn();
  const within = new Map<string, RecordedReference>();
  for (const taken of input.records) {
    if (!isReadable(taken)) parkUnreadable(turn, input, taken);
    else if (taken.release !== undefined) settleRelease(turn, input, within, { ...taken, release: taken.release });
    else for (const pending of taken.pending) settle(turn, input, within, taken, pending);
  }
  return turn;
}

function settle(
  turn: BatchResult,
  input: BatchInput,
  within: Map<string, RecordedReference>,
  taken: DecodedEntry,
  pending: PendingItem,
): void {
  const { record, partition } = taken;
  const { submission, item } = pending;
  const working = workingOn(turn, input, partition, submission);
  // Behind a parked submission nothing of its book is decided: it would be decided on a book that is not whole.
  if (working.parked) turn.parked.push({ taken, book: submission, pending, fault: undefined });
  let outcome: VerdictOutcome = refuse('internal_error');
  try {
    if (!working.parked) outcome = outcomeOf(turn, input, within, { taken, pending, working });
  } catch (fault) {
    working.parked = true;
    turn.parked.push({ taken, book: submission, pending, fault });
  }
  turn.verdicts.push(new Verdict(record, partition, item.item, outcome));
}

/** Throws what parks its book. */
function outcomeOf(
  turn: BatchResult,
  input: BatchInput,
  within: Map<string, RecordedReference>,
  turned: Turned,
): VerdictOutcome {
  const { taken, pending, working } = turned;
  if (working.before.replayError !== undefined) throw working.before.replayError;
  if (input.clock() > taken.record.patience_ends_at) return refuse('contended');
  const broken = taken.broken?.get(pending);
  if (broken !== undefined) throw broken;
  return decidedNow(turn, input, within, turned);
}

/** Its key says whose turn it was; that book waits for a person, the others go on. */
function parkUnreadable(turn: BatchResult, input: BatchInput, taken: LogEntry & { fault: unknown }): void {
  const book = bookOfKey(taken.source.key);
  turn.parked.push({ taken, book, pending: undefined, fault: taken.fault });
  if (book !== undefined) workingOn(turn, input, taken.partition, book).parked = true;
}
