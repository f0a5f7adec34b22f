/**
 * Events of a partition that are committed and not yet published, without a gap among themselves. Bounded by their number
 * and by what they hold: what waits no more is read back.
 */
import type { BookEvent } from '#libs/kafka/book-event.ts';

export type EventOut = BookEvent<number>;

const most = 4_000;
/** Of each partition. Single receipts come to their number first, long bodies to this. */
const mostBytes = 8 * 1024 * 1024;

export class WaitingEvents {
  readonly #events: EventOut[] = [];
  #bytes = 0;

  put(event: EventOut): void {
    const last = this.#events.at(-1);
    if (last !== undefined && last.sequence !== event.sequence - 1) this.#drop(this.#events.length);
    if (this.#events.length >= most || this.#bytes >= mostBytes) return;
    this.#events.push(event);
    this.#bytes += bytesOf(event);
  }

  /** What follows the last that was published. Empty where that has to be read back, or nothing does. */
  takeAfter(published: number, together: number): EventOut[] {
    const skip = this.#events.findIndex((event) => event.sequence > published);
    if (this.#events[skip]?.sequence !== published + 1) return [];
    return this.#drop(skip + together).slice(skip);
  }

  #drop(many: number): EventOut[] {
    const dropped = this.#events.splice(0, many);
    for (const event of dropped) this.#bytes -= bytesOf(event);
    return dropped;
  }
}

/** What is as long as a caller made it; the rest of an event is about the same in all. */
function bytesOf({ body, evidence }: EventOut): number {
  const proof = evidence !== null && 'lending.Evidence' in evidence ? evidence['lending.Evidence'].body.length : 0;
  return body.length + proof;
}
