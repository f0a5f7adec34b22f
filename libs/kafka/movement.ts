/** The record of `lending.movements`: what one fact changed in the journal of its book. */
import { clientIdOf } from '#libs/ledger/book-id.ts';
import type { LoanMovement } from '#libs/ledger/journal/book-movement.ts';
import type { JournalLine } from '#libs/ledger/journal/journal-line.ts';
import { type AvroCodec, type AvroSchemaOptions, readSchemaFile } from './avro-codec.ts';
import { topics } from './topics.ts';

/** Public: consumers of any age can read records of any age. */
export const movementSchema: AvroSchemaOptions = {
  subject: `${topics.movements}-value`,
  schema: readSchemaFile('movement'),
  compatibility: 'FULL_TRANSITIVE',
  exactLongs: true,
};

/** Written from numbers, which hold all our values; read as bigint, so that no value of another writer is rounded. */
export interface MovementRecord<Long = bigint> {
  readonly partition: number;
  readonly sequence: Long;
  readonly tenant_id: string;
  readonly book_id: string;
  readonly client_id: string | null;
  readonly fact: Long;
  readonly kind: string;
  readonly recorded_at: Long;
  readonly request_id: string;
  readonly item: number;
  readonly loans: readonly LoanMovementRecord<Long>[];
}

export interface LoanMovementRecord<Long = bigint> {
  readonly loan_id: string;
  readonly currency: string;
  readonly added: readonly MovementLineRecord<Long>[];
  readonly taken_back: readonly MovementLineRecord<Long>[];
}

export interface MovementLineRecord<Long = bigint> {
  readonly period: number;
  readonly charge: string;
  readonly kind: string;
  readonly day: number;
  readonly due_on: number;
  readonly amount: Long;
  readonly tax: Long;
  readonly fact: Long | null;
}

export type MovementCodec = AvroCodec<MovementRecord, MovementRecord<number>>;

/** The fact whose movement it is, in the columns of its row. */
export interface MovedFact {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
  readonly kind: string;
  readonly recorded_at: number;
  readonly request_id: string;
  readonly item: number;
  readonly partition: number;
  readonly event_number: number;
}

export function movementRecord(fact: MovedFact, loans: readonly LoanMovement[]): MovementRecord<number> {
  const { tenant_id, book_id, kind, recorded_at, request_id, item, partition } = fact;
  return {
    partition,
    sequence: fact.event_number,
    tenant_id,
    book_id,
    client_id: clientIdOf(book_id) ?? null,
    fact: fact.sequence,
    kind,
    recorded_at,
    request_id,
    item,
    loans: loans.map(({ loanId, currency, added, takenBack }) => ({
      loan_id: loanId,
      currency,
      added: added.map(lineRecord),
      taken_back: takenBack.map(lineRecord),
    })),
  };
}

function lineRecord({ period, charge, kind, day, dueOn, amount, tax, fact }: JournalLine): MovementLineRecord<number> {
  return { period, charge, kind, day, due_on: dueOn, amount: Number(amount), tax: Number(tax), fact: fact ?? null };
}
