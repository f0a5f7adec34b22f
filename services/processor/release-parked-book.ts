/**
 * Decides the release of a parked book. A portion of its parked submissions is decided in log order, or dropped as the
 * operator says. The book continues when none is left; one that fails again keeps all behind it parked.
 */
import { positionText } from '#libs/database/parked-submissions.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import type { BatchDecision, SubmissionTask, WorkingBook } from './batch-decision.ts';
import { decideSubmission } from './batch-decision.ts';
import {
  type DecodedEntry,
  isDecoded,
  type LogEntry,
  type ParkedSubmission,
  type ReleasePortion,
} from './log-entry.ts';
import type { VerdictOutcome } from './verdict.ts';

export function decideRelease(batch: BatchDecision, entry: DecodedEntry, portion: ReleasePortion): void {
  const [item] = entry.items;
  // A repeated release has no items: it only moves the offset.
  if (item === undefined) return;
  const book = batch.workingBook(entry.partition, item.submission);
  const hasFailed = entry.failures?.has(item) === true || book.before.replayError !== undefined;
  const outcome = hasFailed ? refuse('internal_error') : release(batch, { entry, item, book }, portion);
  batch.addVerdict(entry, item, outcome);
}

function release(
  batch: BatchDecision,
  task: SubmissionTask,
  { submissions, waiting, isLate }: ReleasePortion,
): VerdictOutcome {
  const { entry, book } = task;
  if (isLate || batch.isLate(entry)) return refuse('contended');
  if (!book.parked) return refuse('not_found', { field: '/book_id', observed: book.bookId });
  const recorded = decideSubmission(batch, task);
  if (isRefusal(recorded)) return recorded;
  const releasedBefore = batch.released.length;
  const lines = decideParked(batch, book, submissions);
  const left = waiting - (batch.released.length - releasedBefore);
  book.parked = left > 0;
  const answer = { book_id: book.bookId, released: !book.parked, left, submissions: lines };
  return () => ({ status: 200, body: JSON.stringify(answer) });
}

/** One submission in the operator's answer. The original caller was answered when it was parked. */
interface AnswerLine {
  readonly place: string;
  readonly came_to: 'recorded' | 'refused' | 'dropped' | 'repeated' | 'parked';
  readonly code?: string;
}

function decideParked(batch: BatchDecision, book: WorkingBook, submissions: readonly ParkedSubmission[]): AnswerLine[] {
  const lines: AnswerLine[] = [];
  for (const { position, repeats, entry } of submissions) {
    const place = positionText(position);
    try {
      if (entry === undefined) lines.push({ place, came_to: 'dropped' });
      else lines.push(...decideEntry(batch, book, entry).map((line) => ({ place, ...line })));
    } catch (cause) {
      batch.parkedAgain.push({ position, cause });
      lines.push({ place, came_to: 'parked' });
      break;
    }
    for (const repeat of repeats) lines.push({ place: positionText(repeat), came_to: 'repeated' });
    batch.released.push(position, ...repeats);
  }
  return lines;
}

function decideEntry(batch: BatchDecision, book: WorkingBook, entry: LogEntry): Omit<AnswerLine, 'place'>[] {
  if (!isDecoded(entry)) throw entry.cause;
  return entry.items.map((item) => {
    const outcome = decideSubmission(batch, { entry, item, book });
    return isRefusal(outcome) ? { came_to: 'refused', code: outcome.code } : { came_to: 'recorded' };
  });
}
