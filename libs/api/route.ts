/** What a route is: its method, path, body, query and limits, and the named segments of paths. */
import type { QuerySchema } from '#libs/api/parse-query.ts';
import { isConfigurationId } from '#libs/product/configurations.ts';
import { isIdentifier, isUuid } from '#libs/schema/identifiers.ts';
import { type Refusal, type RefusalCode, refuse } from '#libs/schema/refusals.ts';
import {
  grammars,
  identifier as identifierSchema,
  isLookupKey,
  isReference,
  reference as referenceSchema,
  uuid as uuidSchema,
} from '#libs/schema/scalars.ts';
import { type JsonSchema, maxObservedCharacters, type Schema } from '#libs/schema/schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One path with one method, and what the request pipeline needs to know of it. */
export interface Route<Body = unknown, Query extends QuerySchema = QuerySchema> {
  readonly method: Method;
  /** From the root, with `{names}` of segments. */
  readonly path: string;
  /** The service that handles it; `pipeline` if the request pipeline of every service does. */
  readonly servedBy: 'ingress' | 'query' | 'pipeline';
  /** Absent if the route reads no body. */
  readonly body?: Schema<Body>;
  readonly query: Query;
  readonly maxBodyBytes: number;
  readonly readsIdempotencyKey: boolean;
  /** Answers without a credential. */
  readonly isPublic: boolean;
  /** Serves every path below its own as well. */
  readonly servesPathsBelow: boolean;
  /** Agents may not use it on a live Tenancy. */
  readonly isForbiddenToAgents: boolean;
}

export const bytesPerMebibyte = 1024 * 1024;

/** A named segment of a path. */
export interface PathSegment {
  readonly jsonSchema: JsonSchema;
  readonly matches: (text: string) => boolean;
  /** Refuses a name under which nothing is recorded. */
  readonly codeIfAbsent: Extract<RefusalCode, 'not_found' | 'no_receipt' | 'no_configuration' | 'no_quote'>;
  /** Set for names that callers choose: a mutation refuses a broken grammar with `invalid_identifier`. */
  readonly grammar?: string;
}

const isOrdinal = (text: string): boolean => /^[1-9][0-9]{0,14}$/.test(text);

const uuid: PathSegment = { jsonSchema: uuidSchema.jsonSchema, matches: isUuid, codeIfAbsent: 'not_found' };
const identifier: PathSegment = {
  jsonSchema: identifierSchema.jsonSchema,
  matches: isIdentifier,
  codeIfAbsent: 'not_found',
  grammar: grammars.identifier,
};
const configurationId: JsonSchema = { type: 'string', pattern: '^(ins|bnp|pay)-[0-9]{6}$' };
const ordinal: JsonSchema = { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 };

export const pathSegments: { readonly [name: string]: PathSegment } = {
  // Not checked: any name other than the key's Tenancy is refused by authorization.
  tenant_id: { jsonSchema: identifierSchema.jsonSchema, matches: () => true, codeIfAbsent: 'not_found' },
  loan_id: uuid,
  quote_id: { ...uuid, codeIfAbsent: 'no_quote' },
  decision_id: uuid,
  facility_id: uuid,
  client_id: identifier,
  merchant_ref: identifier,
  policy: identifier,
  jurisdiction: { jsonSchema: identifierSchema.jsonSchema, matches: isIdentifier, codeIfAbsent: 'not_found' },
  receipt_reference: {
    jsonSchema: referenceSchema.jsonSchema,
    matches: isReference,
    codeIfAbsent: 'no_receipt',
    grammar: grammars.reference,
  },
  lookup_key: {
    jsonSchema: identifierSchema.jsonSchema,
    matches: isLookupKey,
    codeIfAbsent: 'not_found',
    grammar: grammars.lookupKey,
  },
  configuration_id: { jsonSchema: configurationId, matches: isConfigurationId, codeIfAbsent: 'no_configuration' },
  configuration_version: { jsonSchema: ordinal, matches: isOrdinal, codeIfAbsent: 'no_configuration' },
  policy_version: { jsonSchema: ordinal, matches: isOrdinal, codeIfAbsent: 'not_found' },
};

/** A health route: public, and served whatever the Contract-Version header says. */
export function isProbe({ isPublic, servedBy }: Pick<Route, 'isPublic' | 'servedBy'>): boolean {
  return isPublic && servedBy === 'pipeline';
}

/** A read treats a name with a broken grammar as absent; a mutation refuses it. */
export function checkPathSegments(method: Method, params: { readonly [name: string]: string }): Refusal | undefined {
  for (const name in params) {
    const segment = pathSegments[name];
    const text = params[name] as string;
    if (segment === undefined || segment.matches(text)) continue;
    if (method === 'GET' || segment.grammar === undefined) return refuse(segment.codeIfAbsent);
    const observed = text.slice(0, maxObservedCharacters);
    return refuse('invalid_identifier', { field: name, bound: segment.grammar, observed });
  }
  return undefined;
}
