/**
 * Remembers recently decided requests. A retried send may append a record twice; the second must not be decided again,
 * because the result could contradict the answer already sent. After the deadline the answer is `contended` anyway.
 */
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import { findCommittedRequests } from '#libs/database/evidence.ts';
import { type DecodedEntry, isDecoded, type LogEntry } from './log-entry.ts';

const maxSweptPerBatch = 4_096;
/** The deadline was computed by the ingress clock, which may be wrong. */
const maxRememberedMicros = 60_000_000;

export class Deduplicator {
  readonly #database: Database;
  /** Expiry by request and partition, oldest first. */
  readonly #expiry = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Repeated entries keep their offset and lose their items. */
  withoutRepeats(entries: readonly LogEntry[]): LogEntry[] {
    const seen = new Set<string>();
    return withoutItems(entries, (name) => {
      const isRepeat = this.#expiry.has(name) || seen.has(name);
      seen.add(name);
      return isRepeat;
    });
  }

  /** The same for what the database has committed, by this instance or by an earlier owner of the partition. */
  async withoutCommitted(entries: readonly LogEntry[]): Promise<LogEntry[]> {
    const requests = entries
      .filter(isDecoded)
      .map(({ record, partition }) => ({ requestId: record.request_id, partition }));
    const committed = await findCommittedRequests(this.#database, requests);
    return withoutItems(entries, (name) => committed.has(name));
  }

  remember(entries: readonly LogEntry[], now: Moment): void {
    const latest = now + maxRememberedMicros;
    for (const entry of entries) {
      if (!isDecoded(entry)) continue;
      this.#expiry.set(requestName(entry), Math.min(entry.record.patience_ends_at, latest));
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

function withoutItems(entries: readonly LogEntry[], isRepeat: (name: string) => boolean): LogEntry[] {
  return entries.map((entry) => (isDecoded(entry) && isRepeat(requestName(entry)) ? { ...entry, items: [] } : entry));
}

/** As `findCommittedRequests` names it. */
function requestName({ record, partition }: DecodedEntry): string {
  return `${record.request_id}/${partition}`;
}
