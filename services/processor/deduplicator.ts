/**
 * Remembers recently decided requests. A retried send may append a record twice; the second must not be decided again,
 * because the result could contradict the answer already sent. After the deadline the answer is `contended` anyway.
 */
import type { Moment } from '#libs/calendar/moment.ts';
import { isDecoded, type LogEntry } from './log-entry.ts';

const maxSweptPerBatch = 4_096;
/** The deadline was computed by the ingress clock, which may be wrong. */
const maxRememberedMicros = 60_000_000;

export class Deduplicator {
  /** Expiry by request and partition, oldest first. */
  readonly #expiry = new Map<string, number>();

  /** Repeated entries keep their offset and lose their items. */
  withoutRepeats(entries: readonly LogEntry[]): LogEntry[] {
    const seen = new Set<string>();
    return entries.map((entry) => {
      if (!isDecoded(entry)) return entry;
      const name = requestName(entry.record.request_id, entry.partition);
      const isRepeat = this.#expiry.has(name) || seen.has(name);
      seen.add(name);
      return isRepeat ? { ...entry, items: [] } : entry;
    });
  }

  remember(entries: readonly LogEntry[], now: Moment): void {
    const latest = now + maxRememberedMicros;
    for (const entry of entries) {
      if (!isDecoded(entry)) continue;
      const { request_id, patience_ends_at } = entry.record;
      this.#expiry.set(requestName(request_id, entry.partition), Math.min(patience_ends_at, latest));
    }
    this.#sweep(now);
  }

  #sweep(now: Moment): void {
    let swept = 0;
    for (const [name, expiresAt] of this.#expiry) {
      swept += 1;
      if (expiresAt >= now || swept > maxSweptPerBatch) return;
      this.#expiry.delete(name);
    }
  }
}

function requestName(requestId: string, partition: number): string {
  return `${requestId}/${partition}`;
}
