/** The record of `lending.book-events`: one fact, readable by every consumer. */
import { type AvroCodec, type AvroSchemaOptions, readSchemaFile } from './avro-codec.ts';
import { topics } from './topics.ts';

/** Public: consumers of any age can read records of any age. */
export const bookEventSchema: AvroSchemaOptions = {
  subject: `${topics.bookEvents}-value`,
  schema: readSchemaFile('book-event'),
  compatibility: 'FULL_TRANSITIVE',
  exactLongs: true,
};

/** Written from numbers, which hold all our values; read as bigint, so that no value of another writer is rounded. */
export interface BookEvent<Long = bigint> {
  readonly partition: number;
  readonly sequence: Long;
  readonly tenant_id: string;
  readonly book_id: string;
  readonly client_id: string | null;
  readonly fact: Long;
  readonly version_facts: Long;
  readonly version_at: Long | null;
  readonly counts: boolean;
  readonly kind: string;
  readonly occurred_on: number | null;
  readonly recorded_at: Long;
  readonly loan_id: string | null;
  readonly event_id: string | null;
  readonly merchant_ref: string | null;
  readonly feed_number: Long | null;
  readonly act: EventAccount | null;
  readonly body: string;
  readonly reference: EventReference | null;
  readonly issued: EventConfiguration | null;
  readonly listed: EventListing<Long> | null;
  readonly request_id: string;
  readonly item: number;
  readonly offset: Long;
  readonly evidence: { 'lending.Evidence': EventEvidence<Long> } | { 'lending.EvidenceAt': { sequence: Long } } | null;
}

export interface EventAccount {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  /** JSON. */
  readonly context: string | null;
}

export interface EventReference {
  readonly namespace: string;
  readonly reference: string;
  readonly digest: Buffer;
  readonly subject: string;
}

/** The product configuration of an issued Loan. */
export interface EventConfiguration {
  readonly configuration_id: string;
  readonly configuration_version: number;
}

export interface EventListing<Long = bigint> {
  readonly listing: string;
  readonly number: Long;
  readonly id: string;
  /** JSON. */
  readonly row: string;
}

export interface EventEvidence<Long = bigint> {
  readonly method: string;
  readonly target: string;
  readonly ts: Long | null;
  readonly fp: string | null;
  readonly signature: Buffer | null;
  readonly idempotency_key: string | null;
  readonly body: Buffer;
  readonly body_encoding: string;
  readonly actor: string | null;
  readonly caller_request_id: string | null;
  readonly taken_in_at: Long;
}

export type BookEventCodec = AvroCodec<BookEvent, BookEvent<number>>;
