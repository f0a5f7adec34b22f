import type { QueryShape } from '#libs/api/query.ts';
import {
  grammars,
  identifier as identifierForm,
  isIdentifier,
  isLookupKey,
  isReference,
  isUuid,
  type JsonSchema,
  reference as referenceForm,
  type Schema,
  uuid as uuidForm,
} from '#libs/schema/form.ts';
import { type Refusal, type RefusalCode, refuse } from '#libs/schema/refusals.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One path with one method, and everything the door needs to know of it. */
export interface Route<Body = unknown, Query extends QueryShape = QueryShape> {
  readonly method: Method;
  /** As the contract writes it, from the root. */
  readonly path: string;
  readonly by: 'ingress' | 'query' | 'door';
  /** Absent where the route reads no body. */
  readonly body?: Schema<Body>;
  readonly query: Query;
  readonly mostBodyBytes: number;
  /** Whether it reads `Idempotency-Key`. */
  readonly keyed: boolean;
  /** Whether it answers without a credential. */
  readonly open: boolean;
  /** Whether an agent may not use it on a live Tenancy. */
  readonly notForAgents: boolean;
}

export const mebibyte = 1024 * 1024;

type AbsentCode = Extract<RefusalCode, 'not_found' | 'no_receipt' | 'no_configuration' | 'no_quote'>;

/** A named segment of a path: what it may be, and what its absence is called. */
export interface Segment {
  readonly schema: JsonSchema;
  readonly fits: (text: string) => boolean;
  readonly absent: AbsentCode;
  /** Where a mutation names it in a broken grammar, the grammar; a thing that only the service names is just absent. */
  readonly grammar?: string;
}

const isConfigurationId = (text: string): boolean => /^(?:ins|bnp|pay)-[0-9]{6}$/.test(text);
const isOrdinal = (text: string): boolean => /^[1-9][0-9]{0,14}$/.test(text);

const uuid: Segment = { schema: uuidForm.jsonSchema, fits: isUuid, absent: 'not_found' };
const identifier: Segment = {
  schema: identifierForm.jsonSchema,
  fits: isIdentifier,
  absent: 'not_found',
  grammar: grammars.identifier,
};
const configurationId: JsonSchema = { type: 'string', pattern: '^(ins|bnp|pay)-[0-9]{6}$' };
const ordinal: JsonSchema = { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 };

export const segments: { readonly [name: string]: Segment } = {
  // Whatever it says, it is the key's own Tenancy or another's.
  tenant_id: { schema: identifierForm.jsonSchema, fits: () => true, absent: 'not_found' },
  loan_id: uuid,
  quote_id: { ...uuid, absent: 'no_quote' },
  decision_id: uuid,
  facility_id: uuid,
  client_id: identifier,
  merchant_ref: identifier,
  policy: identifier,
  jurisdiction: { schema: identifierForm.jsonSchema, fits: isIdentifier, absent: 'not_found' },
  receipt_reference: {
    schema: referenceForm.jsonSchema,
    fits: isReference,
    absent: 'no_receipt',
    grammar: grammars.reference,
  },
  lookup_key: {
    schema: identifierForm.jsonSchema,
    fits: isLookupKey,
    absent: 'not_found',
    grammar: grammars.lookupKey,
  },
  configuration_id: { schema: configurationId, fits: isConfigurationId, absent: 'no_configuration' },
  configuration_version: { schema: ordinal, fits: isOrdinal, absent: 'no_configuration' },
  policy_version: { schema: ordinal, fits: isOrdinal, absent: 'not_found' },
};

/** Whether it tells the health of the service, to whoever asks and under no version. */
export function isProbe({ open, by }: Pick<Route, 'open' | 'by'>): boolean {
  return open && by === 'door';
}

/** Finds fault with the named segments of a path: in a read what breaks its grammar is simply not there. */
export function pathFault(method: Method, params: { readonly [name: string]: string }): Refusal | undefined {
  for (const name in params) {
    const segment = segments[name];
    const text = params[name] as string;
    if (segment === undefined || segment.fits(text)) continue;
    if (method === 'GET' || segment.grammar === undefined) return refuse(segment.absent);
    const observed = text.slice(0, 200);
    return refuse('invalid_identifier', { field: name, bound: segment.grammar, observed });
  }
  return undefined;
}
