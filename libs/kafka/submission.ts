/** What an ingress says to a processor: the record of `lending.submissions`. */
import type { AvroCodec } from './avro.ts';

/** The request as it was sent. `ts`, `fp` and `signature` are absent on what a person did in the console. */
export interface SubmissionEvidence {
  readonly method: string;
  readonly target: string;
  readonly ts: number | null;
  readonly fp: string | null;
  readonly signature: Buffer | null;
  readonly idempotency_key: string | null;
  readonly body: Buffer;
  readonly body_encoding: 'identity' | 'deflate';
}

export interface SubmissionItem {
  readonly item: number;
  readonly book_id: string;
  readonly namespace: string | null;
  readonly reference: string | null;
  readonly digest: Buffer;
  readonly body: string | null;
  readonly ids: readonly string[];
  readonly resolved: string | null;
}

/** All items of one request that go to one partition; moments are whole microseconds. */
export interface SubmissionRecord {
  readonly request_id: string;
  readonly ingress: string;
  readonly tenant_id: string;
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  readonly taken_in_at: number;
  readonly patience_ends_at: number;
  readonly actor: string | null;
  readonly caller_request_id: string | null;
  readonly evidence: SubmissionEvidence;
  readonly items: readonly SubmissionItem[];
}

export type SubmissionCodec = AvroCodec<SubmissionRecord>;
