/** Decodes records of `lending.movements`. */
import { movementSchema } from '../contract/movement-schema.ts';
import { AvroDecoder, formatDay, formatMoment, type SchemaOf } from './avro-decoder.ts';
import type { LoanMovement, Movement, MovementLine } from './movement.ts';

export class MovementDecoder extends AvroDecoder<Movement> {
  constructor(schemaOf: SchemaOf) {
    super(schemaOf, movementSchema, (record) => toMovement(record as AvroMovement));
  }
}

type AvroLine = Omit<MovementLine, 'day' | 'due_on'> & { readonly day: number; readonly due_on: number };

type AvroLoanMovement = Omit<LoanMovement, 'added' | 'taken_back'> & {
  readonly added: readonly AvroLine[];
  readonly taken_back: readonly AvroLine[];
};

type AvroMovement = Omit<Movement, 'recorded_at' | 'loans'> & {
  readonly recorded_at: bigint;
  readonly loans: readonly AvroLoanMovement[];
};

/** Copies the nested records into plain objects: those of avsc have methods. */
function toMovement({ recorded_at, loans, ...record }: AvroMovement): Movement {
  return { ...record, recorded_at: formatMoment(recorded_at), loans: loans.map(toLoanMovement) };
}

function toLoanMovement({ added, taken_back, ...loan }: AvroLoanMovement): LoanMovement {
  return { ...loan, added: added.map(toLine), taken_back: taken_back.map(toLine) };
}

function toLine({ day, due_on, ...line }: AvroLine): MovementLine {
  return { ...line, day: formatDay(day), due_on: formatDay(due_on) };
}
