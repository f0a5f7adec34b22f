/** Where a consumer is in a partition, and what it makes of the next record: a repeat is dropped, a gap is refused. */
import type { BookEvent } from './book-event.ts';

/** What the caller's store keeps of a partition, together with what the events did. */
export interface Position {
  /** The last event that was taken. */
  readonly sequence: bigint;
  /** The next record to be read from the topic. */
  readonly offset: bigint;
}

export const beginning: Position = { sequence: 0n, offset: 0n };

/** Records that follow one another in the topic, as far as they are new. */
export interface Placed {
  readonly events: readonly BookEvent[];
  readonly position: Position;
}

export interface Read {
  readonly offset: bigint;
  readonly event: BookEvent;
}

export function place(partition: number, position: Position, records: readonly Read[]): Placed {
  const events: BookEvent[] = [];
  let { sequence, offset } = position;
  for (const record of records) {
    const { event } = record;
    if (event.partition !== partition) throw new OutOfPlace(partition, event);
    if (event.sequence > sequence + 1n) throw new EventsMissing(partition, sequence + 1n, event.sequence);
    if (event.sequence === sequence + 1n) {
      events.push(event);
      sequence = event.sequence;
    }
    offset = record.offset + 1n;
  }
  return { events, position: { sequence, offset } };
}

/** Events that should be there are not: whoever went on would keep a book that is not the lender's. */
export class EventsMissing extends Error {
  readonly partition: number;
  readonly due: bigint;
  readonly found: bigint;

  constructor(partition: number, due: bigint, found: bigint) {
    super(`partition ${partition} of the topic tells event ${found} where ${due} is due`);
    this.name = 'EventsMissing';
    this.partition = partition;
    this.due = due;
    this.found = found;
  }
}

/** The record says it stands in another partition: the topic was not copied as it is. */
export class OutOfPlace extends Error {
  constructor(partition: number, event: BookEvent) {
    super(`partition ${partition} of the topic holds event ${event.sequence} of partition ${event.partition}`);
    this.name = 'OutOfPlace';
  }
}
