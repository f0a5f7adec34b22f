/** What the OpenAPI document says of a route beyond what the route itself states. */
import type { RefusalCode } from '#libs/schema/refusals.ts';
import type { JsonSchema, TypedJsonSchema } from '#libs/schema/schema.ts';

export const tags = {
  Loans: 'Issuing Loans, and recording acts on them.',
  'Loan events': 'The issuances of Loans and the acts on them, in one feed for the Tenancy.',
  Clients: 'Registering Clients, and reading all figures of one Client.',
  Receipts: 'Reporting money that arrived, and reversing it.',
  Products: 'Configurations, their versions and their lookup keys.',
  Credit: 'Policies, decisions, bars and facilities.',
  Tenancy: 'Merchants, dues, the market, the bounds and the company profile.',
  Service: 'Health, the changelog and this document. No credential is needed.',
} as const;

export type OperationTag = keyof typeof tags;

export interface Operation {
  readonly tag: OperationTag;
  readonly summary: string;
  /** Which facts the route reads or records. */
  readonly description: string;
  readonly recordsNothing?: boolean;
  /** Absent if the answer is an HTML page. For a stream, one of its events. */
  readonly answer?: TypedJsonSchema<unknown>;
  readonly media?: string;
  readonly statuses: readonly number[];
  /** The refusal codes of this route besides those of its kind (codes.ts). */
  readonly refuses: readonly RefusalCode[];
  /** Replaces the schema of the route's body if the domain parses the body further. */
  readonly body?: JsonSchema;
}

type OperationTexts = Pick<Operation, 'tag' | 'summary' | 'description'> & {
  readonly answer: TypedJsonSchema<unknown>;
  readonly refuses?: readonly RefusalCode[];
  readonly body?: JsonSchema;
};

/** Reads, or computes without recording: always 200. */
export function readOperation(texts: OperationTexts): Operation {
  return { refuses: [], ...texts, statuses: [200], recordsNothing: true };
}

/** Records under the caller's reference: 201, and 200 with the current record if the same request is sent again. */
export function recordOperation(texts: OperationTexts): Operation {
  const { refuses = [] } = texts;
  return { ...texts, statuses: [201, 200], refuses: ['reference_reused', 'contended', ...refuses] };
}
