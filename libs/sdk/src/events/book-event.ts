/** One fact of one book, as `lending.book-events` tells it. */
export interface BookEvent {
  readonly partition: number;
  /** Place in the partition, from 1 without a gap. */
  readonly sequence: bigint;
  readonly tenant_id: string;
  /** `c/` and the Client, or `t` for the Tenancy's own book. */
  readonly book_id: string;
  readonly client_id: string | null;
  /** Place in the book, from 1 without a gap. */
  readonly fact: bigint;
  /** Open: one that is not known is not interpreted. */
  readonly kind: string;
  /** The civil day the fact is about. */
  readonly occurred_on: string | null;
  /** RFC 3339 in UTC with six decimals. */
  readonly recorded_at: string;
  readonly loan_id: string | null;
  readonly event_id: string | null;
  readonly merchant_ref: string | null;
  /** Place in the Tenancy's feed of Loan events. */
  readonly feed_number: bigint | null;
  readonly act: ActAccount | null;
  /** The fact as it is kept: JSON, byte for byte. */
  readonly body: string;
  /** The book version after this fact; `counts` is whether the fact moved it. */
  readonly book_version: { readonly facts: bigint; readonly version: string | null };
  readonly counts: boolean;
  /** The caller's reference the fact was recorded under. */
  readonly reference: RecordedReference | null;
  /** The product version under which the fact issues its Loan. */
  readonly issued: IssuedUnder | null;
  /** What the fact makes listed in the whole Tenancy. */
  readonly listed: ListedAs | null;
  readonly request_id: string;
  /** Place in a batch. */
  readonly item: number;
  /** Where the request stands in the service's own log of submissions. */
  readonly offset: bigint;
  /** The signed request behind the fact, on the first fact of a request in its partition. */
  readonly evidence: Evidence | null;
  /** On the others: the sequence of that first one. */
  readonly evidence_at: bigint | null;
}

export interface ActAccount {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  /** As stated: JSON. */
  readonly context: string | null;
}

export interface RecordedReference {
  readonly namespace: string;
  readonly reference: string;
  /** SHA-256 of the canonical method, path and body. */
  readonly digest: Uint8Array;
  /** Identifier of what it names. */
  readonly subject: string;
}

export interface IssuedUnder {
  readonly configuration_id: string;
  readonly configuration_version: number;
}

export interface ListedAs {
  readonly listing: string;
  /** Place in the listing. */
  readonly number: bigint;
  readonly id: string;
  /** JSON. */
  readonly row: string;
}

export interface Evidence {
  readonly method: string;
  readonly target: string;
  readonly ts: bigint | null;
  readonly fp: string | null;
  readonly signature: Uint8Array | null;
  readonly idempotency_key: string | null;
  /** As sent, or deflated (raw, RFC 1951) where `body_encoding` says so. */
  readonly body: Uint8Array;
  readonly body_encoding: string;
  /** The person behind what was done without a signature. */
  readonly actor: string | null;
  readonly caller_request_id: string | null;
  readonly taken_in_at: string;
}
