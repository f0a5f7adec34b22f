/** A fact as everyone may read it: the record of `lending.book-events`. */
import type { AvroCodec } from './avro.ts';

export interface BookEvent {
  readonly partition: number;
  readonly sequence: bigint;
  readonly tenant_id: string;
  readonly book_id: string;
  readonly client_id: string | null;
  readonly fact: bigint;
  readonly version_facts: bigint;
  readonly version_at: bigint | null;
  readonly counts: boolean;
  readonly kind: string;
  readonly occurred_on: number | null;
  readonly recorded_at: bigint;
  readonly loan_id: string | null;
  readonly event_id: string | null;
  readonly merchant_ref: string | null;
  readonly feed_number: bigint | null;
  readonly act: ActAccount | null;
  readonly body: string;
  readonly reference: EventReference | null;
  readonly request_id: string;
  readonly item: number;
  readonly offset: bigint;
  readonly evidence: { 'lending.Evidence': EventEvidence } | { 'lending.EvidenceAt': { sequence: bigint } } | null;
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

export interface EventEvidence {
  readonly method: string;
  readonly target: string;
  readonly ts: bigint | null;
  readonly fp: string | null;
  readonly signature: Buffer | null;
  readonly idempotency_key: string | null;
  readonly body: Buffer;
  readonly body_encoding: string;
  readonly actor: string | null;
  readonly caller_request_id: string | null;
  readonly taken_in_at: bigint;
}

export type BookEventCodec = AvroCodec<BookEvent>;
