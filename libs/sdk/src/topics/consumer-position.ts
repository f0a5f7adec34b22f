/** The position of a consumer in a partition. Repeated records are dropped, a gap is an error. */

/** Facts and movements are numbered alike. */
export interface NumberedRecord {
  readonly partition: number;
  readonly sequence: bigint;
}

/** Stored by the caller for each partition, in one transaction with the effects of the records. */
export interface Position {
  /** The last processed record. */
  readonly sequence: bigint;
  /** The next record of the topic. */
  readonly offset: bigint;
}

export const startPosition: Position = { sequence: 0n, offset: 0n };

/** The records that were not processed yet, and the position after them. */
export interface NewRecords<Each> {
  readonly records: readonly Each[];
  readonly position: Position;
}

export interface ReceivedRecord<Each> {
  readonly offset: bigint;
  readonly record: Each;
}

export function selectNewRecords<Each extends NumberedRecord>(
  partition: number,
  position: Position,
  received: readonly ReceivedRecord<Each>[],
): NewRecords<Each> {
  const records: Each[] = [];
  let { sequence, offset } = position;
  for (const { record, offset: at } of received) {
    if (record.partition !== partition) throw new OutOfPlace(partition, record);
    if (record.sequence > sequence + 1n) throw new EventsMissing(partition, sequence + 1n, record.sequence);
    if (record.sequence === sequence + 1n) {
      records.push(record);
      sequence = record.sequence;
    }
    offset = at + 1n;
  }
  return { records, position: { sequence, offset } };
}

/** Records are missing: a consumer that continued would keep other books than the lender. */
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

/** The record belongs to another partition: the topic was not copied partition by partition. */
export class OutOfPlace extends Error {
  constructor(partition: number, record: NumberedRecord) {
    super(`partition ${partition} of the topic holds event ${record.sequence} of partition ${record.partition}`);
    this.name = 'OutOfPlace';
  }
}
