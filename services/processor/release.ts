/**
 * A person lets a parked book go on. A portion of what waits with it is decided anew in its order, or dropped where the
 * person says so, in the one transaction that removes it; the book goes on when nothing is left, and what breaks again
 * keeps all behind it waiting.
 */

import { placeText } from '#libs/database/parked.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { decidedNow } from './decide-submission.ts';
import { isReadable, type LogEntry, type PendingItem, type Released } from './log-entry.ts';
import { type BatchInput, type BatchResult, type WorkingBook, workingOn } from './turn-state.ts';
import { Verdict, type VerdictOutcome } from './verdict.ts';

type Within = Map<string, RecordedReference>;

/** A release is of one book. One that was decided before has nothing pending: it moves the offset and nothing else. */
export function settleRelease(turn: BatchResult, input: BatchInput, within: Within, taken: Released): void {
  const { record, partition } = taken;
  const [pending] = taken.pending;
  if (pending === undefined) return;
  const working = workingOn(turn, input, partition, pending.submission);
  const isBroken = taken.broken?.has(pending) === true || working.before.replayError !== undefined;
  const outcome = isBroken ? refuse('internal_error') : outcomeOf(turn, input, within, { taken, pending, working });
  turn.verdicts.push(new Verdict(record, partition, pending.item.item, outcome));
}

interface Releasing {
  readonly taken: Released;
  readonly pending: PendingItem;
  readonly working: WorkingBook;
}

function outcomeOf(turn: BatchResult, input: BatchInput, within: Within, releasing: Releasing): VerdictOutcome {
  const { taken, working } = releasing;
  const { waiting, isLate } = taken.release;
  if (isLate || input.clock() > taken.record.patience_ends_at) return refuse('contended');
  if (!working.parked) return refuse('not_found', { field: '/book_id', observed: working.bookId });
  const recorded = decidedNow(turn, input, within, releasing);
  if (isRefusal(recorded)) return recorded;
  const before = turn.released.length;
  const submissions = decideKept(turn, input, within, releasing);
  const left = waiting - (turn.released.length - before);
  // Anything new is decided behind all that waits.
  working.parked = left > 0;
  const answer = { book_id: working.bookId, released: !working.parked, left, submissions };
  return () => ({ status: 200, body: JSON.stringify(answer) });
}

/** What came of one that waited: nobody else is told, its caller having been answered long ago. */
interface Came {
  readonly place: string;
  readonly came_to: 'recorded' | 'refused' | 'dropped' | 'repeated' | 'parked';
  readonly code?: string;
}

function decideKept(turn: BatchResult, input: BatchInput, within: Within, { taken, working }: Releasing): Came[] {
  const came: Came[] = [];
  for (const { place, again, taken: waited } of taken.release.kept) {
    const at = placeText(place);
    try {
      if (waited === undefined) came.push({ place: at, came_to: 'dropped' });
      else came.push(...decideOne(turn, input, within, working, waited).map((each) => ({ place: at, ...each })));
    } catch (fault) {
      turn.parkedStill.push({ place, fault });
      came.push({ place: at, came_to: 'parked' });
      break;
    }
    // What stands in the log twice waits no more either, wherever it stands.
    for (const each of again) came.push({ place: placeText(each), came_to: 'repeated' });
    turn.released.push(place, ...again);
  }
  return came;
}

function decideOne(
  turn: BatchResult,
  input: BatchInput,
  within: Within,
  working: WorkingBook,
  taken: LogEntry,
): Omit<Came, 'place'>[] {
  if (!isReadable(taken)) throw taken.fault;
  return taken.pending.map((pending) => {
    const outcome = decidedNow(turn, input, within, { taken, pending, working });
    return isRefusal(outcome) ? { came_to: 'refused', code: outcome.code } : { came_to: 'recorded' };
  });
}
