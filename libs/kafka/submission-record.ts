/** The record of `lending.submissions`: one request, on its way from an ingress to a processor. */
import { type AvroCodec, type AvroSchemaOptions, readSchemaFile } from './avro-codec.ts';
import { topics } from './topics.ts';

/** Internal: a newer processor can read the records of an older ingress. */
export const submissionSchema: AvroSchemaOptions = {
  subject: `${topics.submissions}-value`,
  schema: readSchemaFile('submission'),
  compatibility: 'BACKWARD',
};

/** The request as it was sent. `ts`, `fp` and `signature` are null on administration, which is not signed. */
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

/** All items of one request for one partition. Moments are whole microseconds. */
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
