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

/** What a store returned is no position: adding to a text would skip records. */
export class InvalidPositionError extends TypeError {
  override readonly name = 'InvalidPositionError';
}

export function checkPosition(partition: number, position: Position): void {
  for (const name of ['sequence', 'offset'] as const) {
    const value: unknown = position[name];
    if (typeof value === 'bigint') continue;
    const found = `${name} ${JSON.stringify(value)}, a ${typeof value}`;
    throw new InvalidPositionError(
      `the stored position of partition ${partition} has ${found}; expected a bigint: convert it by BigInt()`,
    );
  }
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
    if (record.partition !== partition) throw new OutOfPlaceError(partition, record);
    if (record.sequence > sequence + 1n) throw new EventsMissingError(partition, sequence + 1n, record.sequence);
    if (record.sequence === sequence + 1n) {
      records.push(record);
      sequence = record.sequence;
    }
    offset = at + 1n;
  }
  return { records, position: { sequence, offset } };
}

/** Records are missing: a consumer that continued would keep other books than the lender. */
export class EventsMissingError extends Error {
  readonly partition: number;
  readonly due: bigint;
  readonly found: bigint;

  constructor(partition: number, due: bigint, found: bigint) {
    super(
      `partition ${partition} of the topic holds record ${found}, expected ${due}: records are missing, so do not continue; ` +
        'ask the operator of the service to run `lending topic check`',
    );
    this.name = 'EventsMissingError';
    this.partition = partition;
    this.due = due;
    this.found = found;
  }
}

/** The record belongs to another partition: the topic is a copy that was not made partition by partition. */
export class OutOfPlaceError extends Error {
  constructor(partition: number, record: NumberedRecord) {
    super(
      `partition ${partition} of the topic holds record ${record.sequence} of partition ${record.partition}: ` +
        'read the topic of the service, or a copy that keeps the partitions',
    );
    this.name = 'OutOfPlaceError';
  }
}
