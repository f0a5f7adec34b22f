/**
 * Decides the release of a parked book. A portion of its parked submissions is decided in log order, or dropped as the
 * operator says. The book continues when none is left; one that fails again keeps all behind it parked.
 */
import { positionText } from '#libs/database/parked-submissions.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import {
  type BatchInput,
  type BatchReferences,
  type BatchResult,
  type WorkingBook,
  workingBook,
} from './batch-result.ts';
import { decideSubmission } from './decide-submission.ts';
import { type EntryItem, isDecoded, type LogEntry, type ReleaseEntry } from './log-entry.ts';
import { SubmissionVerdict, type VerdictOutcome } from './verdict.ts';

export function decideRelease(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  entry: ReleaseEntry,
): void {
  const { record, partition } = entry;
  const [item] = entry.items;
  // A repeated release has no items: it only moves the offset.
  if (item === undefined) return;
  const book = workingBook(result, input, partition, item.submission);
  const hasFailed = entry.failures?.has(item) === true || book.before.replayError !== undefined;
  const outcome = hasFailed ? refuse('internal_error') : release(result, input, references, { entry, item, book });
  result.verdicts.push(new SubmissionVerdict(record, partition, item.source.item, outcome));
}

interface ReleaseSubmission {
  readonly entry: ReleaseEntry;
  readonly item: EntryItem;
  readonly book: WorkingBook;
}

function release(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  submission: ReleaseSubmission,
): VerdictOutcome {
  const { entry, book } = submission;
  const { waiting, isLate } = entry.release;
  if (isLate || input.clock() > entry.record.patience_ends_at) return refuse('contended');
  if (!book.parked) return refuse('not_found', { field: '/book_id', observed: book.bookId });
  const recorded = decideSubmission(result, input, references, submission);
  if (isRefusal(recorded)) return recorded;
  const releasedBefore = result.released.length;
  const submissions = decideParked(result, input, references, submission);
  const left = waiting - (result.released.length - releasedBefore);
  book.parked = left > 0;
  const answer = { book_id: book.bookId, released: !book.parked, left, submissions };
  return () => ({ status: 200, body: JSON.stringify(answer) });
}

/** One line of the operator's answer. The original caller was answered when the submission was parked. */
interface ReleasedSubmission {
  readonly place: string;
  readonly came_to: 'recorded' | 'refused' | 'dropped' | 'repeated' | 'parked';
  readonly code?: string;
}

function decideParked(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  { entry, book }: ReleaseSubmission,
): ReleasedSubmission[] {
  const released: ReleasedSubmission[] = [];
  for (const { position, repeats, entry: parked } of entry.release.submissions) {
    const place = positionText(position);
    try {
      if (parked === undefined) released.push({ place, came_to: 'dropped' });
      else released.push(...decideEntry(result, input, references, book, parked).map((line) => ({ place, ...line })));
    } catch (cause) {
      result.parkedAgain.push({ position, cause });
      released.push({ place, came_to: 'parked' });
      break;
    }
    for (const repeat of repeats) released.push({ place: positionText(repeat), came_to: 'repeated' });
    result.released.push(position, ...repeats);
  }
  return released;
}

function decideEntry(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  book: WorkingBook,
  entry: LogEntry,
): Omit<ReleasedSubmission, 'place'>[] {
  if (!isDecoded(entry)) throw entry.cause;
  return entry.items.map((item) => {
    const outcome = decideSubmission(result, input, references, { entry, item, book });
    return isRefusal(outcome) ? { came_to: 'refused', code: outcome.code } : { came_to: 'recorded' };
  });
}
