/**
 * Requests decided a moment ago. A send to the log that was retried may stand in it twice, a moment apart: the second
 * must not be decided again, for what was refused the first time might be admitted by then. What is older than its
 * patience is contended in any case, and needs no remembering.
 */
import type { Moment } from '#libs/calendar/moment.ts';
import { isReadable, type LogEntry } from './log-entry.ts';

const sweptAtMost = 4_096;
/** By our clock: that of whoever sent it may be ahead, by seconds where clocks are kept and by years where one is not. */
const longestMicros = 60_000_000;

export class Deduplicator {
  /** Until when each is known, the longest decided first. */
  readonly #decided = new Map<string, number>();

  /** What was decided before moves the offset and nothing else. */
  withoutRepeats(taken: readonly LogEntry[]): LogEntry[] {
    const within = new Set<string>();
    return taken.map((each) => {
      if (!isReadable(each)) return each;
      const name = nameOf(each.record.request_id, each.partition);
      const isRepeat = this.#decided.has(name) || within.has(name);
      within.add(name);
      return isRepeat ? { ...each, pending: [] } : each;
    });
  }

  decided(taken: readonly LogEntry[], now: Moment): void {
    const latest = now + longestMicros;
    for (const each of taken) {
      if (!isReadable(each)) continue;
      const { request_id, patience_ends_at } = each.record;
      this.#decided.set(nameOf(request_id, each.partition), Math.min(patience_ends_at, latest));
    }
    let swept = 0;
    for (const [name, ends] of this.#decided) {
      swept += 1;
      if (ends >= now || swept > sweptAtMost) return;
      this.#decided.delete(name);
    }
  }
}

function nameOf(requestId: string, partition: number): string {
  return `${requestId}/${partition}`;
}
