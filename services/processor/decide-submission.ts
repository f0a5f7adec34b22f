/** Decides one submission on its book: it is admitted, refused, or the repetition of a recorded one. */
import type { Moment } from '#libs/calendar/moment.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import type { BatchDecision, SubmissionTask } from './batch-decision.ts';
import { referenceNameOf } from './log-entry.ts';
import type { VerdictOutcome } from './verdict.ts';

export function decideSubmission(batch: BatchDecision, task: SubmissionTask): VerdictOutcome {
  const { deciderFor, clock } = batch.input;
  const { book, item } = task;
  const name = referenceNameOf(item.submission);
  const recorded = name && batch.recordedReference(name);
  if (recorded !== undefined) return answerRepetition(batch, task, recorded);
  const recordedAt = Math.max(clock(), book.recordedAt + 1) as Moment;
  const decision = deciderFor(item.submission.bookId).decide(book.book, item.submission, recordedAt);
  if (isRefusal(decision)) return decision;
  batch.addFacts(task, decision, recordedAt);
  return () => decision.answer();
}

/** The same body is answered with the current record, another body is refused. */
function answerRepetition(
  { input: { deciderFor } }: BatchDecision,
  { book, item: { submission } }: SubmissionTask,
  recorded: RecordedReference,
): VerdictOutcome {
  if (recorded.digest !== submission.digest) return refuse('reference_reused', { recorded_id: recorded.subject });
  // Submissions behind this one change the book before the answer is rendered.
  const current = book.book;
  return () => deciderFor(submission.bookId).currentRecord(current, submission, recorded);
}
