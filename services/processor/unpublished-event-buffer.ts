/**
 * Committed events of one partition that are not published yet, without a gap. Bounded by count and bytes: events beyond
 * the bounds are read back from Postgres.
 */
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { textBytes } from '#libs/schema/json-bytes.ts';

const maxEvents = 4_000;
/** What an event takes besides its body and its evidence. */
const bytesPerEvent = 1_000;

export class UnpublishedEventBuffer {
  readonly #maxBytes: number;
  readonly #events: BookEvent<number>[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(event: BookEvent<number>): void {
    const last = this.#events.at(-1);
    if (last !== undefined && last.sequence !== event.sequence - 1) this.#removeFirst(this.#events.length);
    if (this.#events.length >= maxEvents || this.#bytes >= this.#maxBytes) return;
    this.#events.push(event);
    this.#bytes += eventBytes(event);
  }

  /** The events after the last published one. Empty where there are none, or where they must be read from Postgres. */
  takeAfter(publishedSequence: number, maxCount: number): BookEvent<number>[] {
    const skipped = this.#events.findIndex((event) => event.sequence > publishedSequence);
    if (this.#events[skipped]?.sequence !== publishedSequence + 1) return [];
    return this.#removeFirst(skipped + maxCount).slice(skipped);
  }

  #removeFirst(count: number): BookEvent<number>[] {
    const removed = this.#events.splice(0, count);
    for (const event of removed) this.#bytes -= eventBytes(event);
    return removed;
  }
}

function eventBytes({ body, evidence }: BookEvent<number>): number {
  const carried = evidence !== null && 'lending.Evidence' in evidence ? evidence['lending.Evidence'].body.length : 0;
  return bytesPerEvent + textBytes(body) + carried;
}
