/** The position of a consumer in a partition. Repeated events are dropped, a gap is an error. */
import type { BookEvent } from './book-event.ts';

/** Stored by the caller for each partition, in one transaction with the effects of the events. */
export interface Position {
  /** The last processed event. */
  readonly sequence: bigint;
  /** The next record of the topic. */
  readonly offset: bigint;
}

export const startPosition: Position = { sequence: 0n, offset: 0n };

/** The events that were not processed yet, and the position after them. */
export interface NewEvents {
  readonly events: readonly BookEvent[];
  readonly position: Position;
}

export interface ReceivedEvent {
  readonly offset: bigint;
  readonly event: BookEvent;
}

export function selectNewEvents(partition: number, position: Position, records: readonly ReceivedEvent[]): NewEvents {
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

/** Events are missing: a consumer that continued would keep other books than the lender. */
export class EventsMissing extends Error {
  readonly partition: number;
  readonly due: bigint;
  readonly found: bigint;

  constructor(partition: number, due: bigint, found: bigint) {
    super(`partition ${partition} of the topic holds event ${found}, expected ${due}`);
    this.name = 'EventsMissing';
    this.partition = partition;
    this.due = due;
    this.found = found;
  }
}

/** The event belongs to another partition: the topic was not copied partition by partition. */
export class OutOfPlace extends Error {
  constructor(partition: number, event: BookEvent) {
    super(`partition ${partition} of the topic holds event ${event.sequence} of partition ${event.partition}`);
    this.name = 'OutOfPlace';
  }
}
