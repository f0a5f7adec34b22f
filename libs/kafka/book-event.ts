/** A fact as everyone may read it: the record of `lending.book-events`. */
import type { AvroCodec } from './avro.ts';

/** Written from numbers, which all of ours fit; read as bigint, so that nothing any writer wrote is rounded. */
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
  readonly act: ActAccount | null;
  readonly body: string;
  readonly reference: EventReference | null;
  readonly issued: IssuedUnder | null;
  readonly listed: ListedAs<Long> | null;
  readonly request_id: string;
  readonly item: number;
  readonly offset: Long;
  readonly evidence: { 'lending.Evidence': EventEvidence<Long> } | { 'lending.EvidenceAt': { sequence: Long } } | null;
}

export interface ActAccount {
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

/** With the fact's own body, what the listing of Loans is made of. */
export interface IssuedUnder {
  readonly configuration_id: string;
  readonly configuration_version: number;
}

export interface ListedAs<Long = bigint> {
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
