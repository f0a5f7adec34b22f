/** What the document says of a route beyond what the route itself tells. */
import type { Part } from '#libs/api/answers/part.ts';
import type { JsonSchema } from '#libs/schema/form.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';

export const tags = {
  Loans: 'Issuing Loans, and what happens to them.',
  'Loan events': 'Every recorded fact about a Loan, in one stream for the Tenancy.',
  Clients: 'Registration, and everything that is asked of one Client.',
  Receipts: 'Money that arrived, and its reversal.',
  Products: 'Configurations, their versions and their lookup keys.',
  Credit: 'Policies, decisions, bars and facilities.',
  Tenancy: 'Merchants, dues, the market, the bounds and the company itself.',
  Service: 'Health, the changelog and this document. No credential is needed.',
} as const;

export type Tag = keyof typeof tags;

export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  /** Which facts it reads or records. */
  readonly says: string;
  /** Absent where the answer is a page; of a stream, what each of its events is. */
  readonly answer?: Part<unknown>;
  readonly media?: string;
  readonly statuses: readonly number[];
  /** Beside those its kind of route brings (codes.ts). */
  readonly refuses: readonly RefusalCode[];
  /** Where the body is read further than its form: what the library that reads it takes. */
  readonly body?: JsonSchema;
}

type Told = Pick<Operation, 'tag' | 'summary' | 'says'> & {
  readonly answer: Part<unknown>;
  readonly refuses?: readonly RefusalCode[];
  readonly body?: JsonSchema;
};

/** Reads, or decides and records nothing, however often it is sent: 200. */
export function asks(told: Told): Operation {
  return { refuses: [], ...told, statuses: [200] };
}

/** Records under the caller's reference: 201, and 200 with the record as it reads now where the same is sent again. */
export function records(told: Told): Operation {
  const { refuses = [] } = told;
  return { ...told, statuses: [201, 200], refuses: ['reference_reused', 'contended', ...refuses] };
}
