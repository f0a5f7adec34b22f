/**
 * A person lets a parked book go on. What waits with it is decided anew in its order, or dropped where the person says
 * so, in the one transaction that releases the book; what breaks again parks it again, with all that stands behind.
 */
import { isRefusal, refuse } from '#libs/contract/refusals.ts';
import { placeText } from '#libs/store/parked.ts';
import type { RecordedReference } from '#libs/turn/book-kind.ts';
import type { ReleaseBody } from '#libs/turn/releasing.ts';
import { decidedNow } from './deciding.ts';
import { isReadable, type Kept, type Pending, type Released } from './taken.ts';
import { type Turn, type TurnInput, type Working, workingOn } from './turn-state.ts';
import { type Outcome, Verdict } from './verdict.ts';

type Within = Map<string, RecordedReference>;

/** A release that was decided before has nothing pending: it moves the offset and nothing else. */
export function settleRelease(turn: Turn, input: TurnInput, within: Within, taken: Released): void {
  const { record, partition } = taken;
  for (const pending of taken.pending) {
    const working = workingOn(turn, input, partition, pending.submission);
    const isBroken = taken.broken?.has(pending) === true || working.before.unsound !== undefined;
    const outcome = isBroken ? refuse('internal_error') : outcomeOf(turn, input, within, { taken, pending, working });
    turn.verdicts.push(new Verdict(record, partition, pending.item.item, outcome));
  }
}

interface Releasing {
  readonly taken: Released;
  readonly pending: Pending;
  readonly working: Working;
}

function outcomeOf(turn: Turn, input: TurnInput, within: Within, releasing: Releasing): Outcome {
  const { taken, working } = releasing;
  if (input.clock() > taken.record.patience_ends_at) return refuse('contended');
  if (!working.parked) return refuse('not_found', { field: '/book_id', observed: working.bookId });
  const recorded = decidedNow(turn, input, within, releasing);
  if (isRefusal(recorded)) return recorded;
  working.parked = false;
  const submissions = decideKept(turn, input, within, releasing);
  const answer = { book_id: working.bookId, released: !working.parked, submissions };
  return () => ({ status: 200, body: JSON.stringify(answer) });
}

/** What came of one that waited: nobody else is told, its caller having been answered long ago. */
interface Came {
  readonly place: string;
  readonly came_to: 'recorded' | 'refused' | 'dropped' | 'repeated' | 'parked';
  readonly code?: string;
}

function decideKept(turn: Turn, input: TurnInput, within: Within, { taken, pending, working }: Releasing): Came[] {
  const dropped = new Set((pending.submission.body as unknown as ReleaseBody).drop);
  const seen = new Set<string>();
  const came: Came[] = [];
  for (const kept of taken.release.kept) {
    const place = placeText(kept.place);
    // A send that was retried stands in the log twice, and here as well.
    const isRepeat = kept.request !== undefined && seen.has(kept.request);
    if (kept.request !== undefined) seen.add(kept.request);
    try {
      if (dropped.has(place)) came.push({ place, came_to: 'dropped' });
      else if (isRepeat) came.push({ place, came_to: 'repeated' });
      else came.push(...decideOne(turn, input, within, working, kept).map((each) => ({ place, ...each })));
      turn.released.push(kept.place);
    } catch (fault) {
      working.parked = true;
      turn.parkedStill.push({ place: kept.place, fault });
      came.push({ place, came_to: 'parked' });
      break;
    }
  }
  return came;
}

function decideOne(
  turn: Turn,
  input: TurnInput,
  within: Within,
  working: Working,
  { taken }: Kept,
): Omit<Came, 'place'>[] {
  if (!isReadable(taken)) throw taken.fault;
  return taken.pending.map((pending) => {
    const outcome = decidedNow(turn, input, within, { taken, pending, working });
    return isRefusal(outcome) ? { came_to: 'refused', code: outcome.code } : { came_to: 'recorded' };
  });
}
