/** One fact of one book, as a record of `lending.book-events`. */
export interface BookEvent {
  readonly partition: number;
  /** Position in the partition, from 1 without gaps. */
  readonly sequence: bigint;
  readonly tenant_id: string;
  /** `c/` and the Client, or `t` for the Tenancy's own book. */
  readonly book_id: string;
  readonly client_id: string | null;
  /** Position in the book, from 1 without gaps. */
  readonly fact: bigint;
  /** Later versions of the service may add kinds. */
  readonly kind: string;
  /** The civil day the fact is about. */
  readonly occurred_on: string | null;
  /** RFC 3339 in UTC with six decimals. */
  readonly recorded_at: string;
  readonly loan_id: string | null;
  readonly event_id: string | null;
  readonly merchant_ref: string | null;
  /** Position in the Tenancy's feed of Loan events. */
  readonly feed_number: bigint | null;
  readonly act: ActAccount | null;
  /** The fact as it is stored: JSON, byte for byte. `factBody` reads it in the form of the API. */
  readonly body: string;
  /** The book version after this fact; `counts` says whether the fact changed it. */
  readonly book_version: { readonly facts: bigint; readonly version: string | null };
  readonly counts: boolean;
  /** The caller's reference the fact was recorded under. */
  readonly reference: RecordedReference | null;
  /** The product version under which the fact issues its Loan. */
  readonly issued: IssuedUnder | null;
  /** The row that the fact adds to a listing of the Tenancy. */
  readonly listed: ListedAs | null;
  readonly request_id: string;
  /** Position in the batch of the request. */
  readonly item: number;
  /** The offset of the request in the service's log of submissions. */
  readonly offset: bigint;
  /** The signed request behind the fact, on the first fact of a request in its partition. */
  readonly evidence: Evidence | null;
  /** On the other facts: the sequence of that first fact. */
  readonly evidence_at: bigint | null;
}

export interface ActAccount {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  /** JSON as it was sent. */
  readonly context: string | null;
}

export interface RecordedReference {
  readonly namespace: string;
  readonly reference: string;
  /** SHA-256 of the canonical method, path and body. */
  readonly digest: Uint8Array;
  /** The id of the record it names. */
  readonly subject: string;
}

export interface IssuedUnder {
  readonly configuration_id: string;
  readonly configuration_version: number;
}

export interface ListedAs {
  readonly listing: string;
  /** Position in the listing. */
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
  /** The person who acted without a signature. */
  readonly actor: string | null;
  readonly caller_request_id: string | null;
  readonly taken_in_at: string;
}
