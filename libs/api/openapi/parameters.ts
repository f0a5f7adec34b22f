/** The parameters of a route in the OpenAPI document: path segments, the query, headers. */

import type { Contract } from '#libs/api/contract-versions.ts';
import { pathNamesIn } from '#libs/api/openapi/route-refusals.ts';
import { withReferences } from '#libs/api/openapi/schemas.ts';
import type { QueryParameter } from '#libs/api/parameter-formats.ts';
import { isProbe, pathSegments, type Route } from '#libs/api/route.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';

const pathDescriptions: { readonly [name: string]: string } = {
  tenant_id: 'The Tenancy of the key.',
  loan_id: 'The identifier that the service gave the Loan.',
  quote_id: 'The identifier that the service gave the quote.',
  decision_id: 'The identifier that the service gave the Decision.',
  facility_id: 'The identifier that the service gave the facility.',
  client_id: "The caller's identifier of the Client.",
  merchant_ref: "The caller's identifier of the merchant.",
  policy: "The caller's identifier of the policy.",
  jurisdiction: 'The code of a market, in upper case.',
  receipt_reference: "The caller's reference of the Receipt, percent-encoded. The SDKs encode it: pass it as it is.",
  lookup_key: "The caller's name for a version, not shaped like a composed identifier or a UUID.",
  configuration_id: 'The identifier that the service composed.',
  configuration_version: 'From 1.',
  policy_version: 'From 1.',
};

const queryDescriptions: { readonly [name: string]: string } = {
  on: 'The civil day of the answer. There is no default.',
  from: 'The first day.',
  to: 'The last day, not before `from`.',
  known_at:
    'Answers from the facts recorded by this moment. Retractions and reversals recorded later are left out, too.',
  limit:
    'The largest number of items; a page of long items ends earlier, at about 1 MiB. A value outside the range is refused.',
  cursor: 'The cursor of the previous page. It never expires and belongs to this listing and its filters.',
  client_id: 'Only items of this Client. One that is not registered has none: the page is empty.',
  client: 'Only items of this Client. One that is not registered has none: the list is empty.',
  configuration_id: 'Only items of this product, in any version.',
  merchant_ref: 'Only items of this merchant.',
  state: 'Only Loans in this state. `expired` requires `on`.',
  from_facts: 'The number of facts in the earlier book version.',
  to_facts: 'The number of facts in the later book version, at most 500 more.',
  only: '`late`: only Loans that are late.',
  min_days_past_due: 'Only Loans that are at least so many days past due.',
  lookup_key: 'Only this key. May be repeated.',
};

/** Parameters that mean something else on one route. */
const routeDescriptions: { readonly [name in RouteName]?: { readonly [parameter: string]: string } } = {
  listRequests: {
    request_id: 'Only the request with this `Request-Id` of an answer.',
    caller_request_id: 'Only requests with this `Request-Id` of the caller.',
    day: 'Only requests received on this day in UTC.',
    fp: 'Only requests of the key with this fingerprint.',
    method: 'Only requests with this HTTP method.',
    route: 'Only requests of this operation of the document.',
    target: 'Only requests whose path and query contain this text, such as the id of a Loan.',
    status: 'Only requests with this HTTP status.',
    code: 'Only requests refused with this code.',
  },
  listLoans: { on: 'The day that decides between `held` and `expired`.' },
};

const ref = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

export function parametersOf(name: RouteName, route: Route): readonly JsonSchema[] {
  const specific = [
    ...(route.readsIdempotencyKey ? ['IdempotencyKey'] : []),
    ...(name === 'readPaymentOptions' || (route.isPublic && !isProbe(route)) ? ['IfNoneMatch'] : []),
    ...(name === 'streamFeed' ? ['LastEventId'] : []),
  ];
  // Health routes ignore the Contract-Version header.
  const common = isProbe(route) ? ['RequestId'] : ['ContractVersion', 'RequestId'];
  return [
    ...pathNamesIn(route.path).map(ref),
    ...Object.entries(route.query).map(([query, parameter]) => queryParameter(name, query, parameter)),
    ...[...specific, ...common].map(ref),
  ];
}

function queryParameter(route: RouteName, name: string, parameter: QueryParameter<unknown, boolean>): JsonSchema {
  const { format, codeIfAbsent, defaultValue, maxOccurrences } = parameter;
  const description = routeDescriptions[route]?.[name] ?? queryDescriptions[name];
  if (description === undefined) {
    throw new Error(`query parameter ${name} has no description; add it to queryDescriptions`);
  }
  const { jsonSchema } = format;
  const single = defaultValue === undefined ? jsonSchema : { ...jsonSchema, default: defaultValue as number };
  const schema: JsonSchema =
    maxOccurrences === undefined ? single : { type: 'array', items: single, minItems: 1, maxItems: maxOccurrences };
  return {
    name,
    in: 'query',
    ...(codeIfAbsent === undefined ? {} : { required: true }),
    description,
    schema: withReferences(schema, 'request'),
  };
}

export function parameterComponents({ versions }: Contract): JsonSchema {
  const header = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
    name,
    in: 'header',
    description,
    schema,
  });
  const published = versions.map(({ version }) => version);
  return {
    ...Object.fromEntries(
      Object.entries(pathSegments).map(([name, { jsonSchema: schema }]) => [name, pathParameter(name, schema)]),
    ),
    ContractVersion: header(
      'Contract-Version',
      `A published version. The default is the baseline \`${published[0]}\`.`,
      { type: 'string', enum: published, 'x-enum-open': true },
    ),
    RequestId: header(
      'Request-Id',
      "The caller's identifier of the request, returned as `Caller-Request-Id`. A value other than 1 to 128 visible ASCII characters is ignored.",
      { type: 'string' },
    ),
    IdempotencyKey: header(
      'Idempotency-Key',
      'Identical requests with the same key get the first outcome for 24 hours. Signed as the fifth line.',
      { type: 'string', pattern: '^[ -~]{1,255}$' },
    ),
    IfNoneMatch: header('If-None-Match', 'The `ETag` of an earlier answer, a list of them, or `*`.', {
      type: 'string',
    }),
    LastEventId: header('Last-Event-ID', 'The `id` of the last event received. The stream continues after it.', {
      type: 'string',
    }),
  };
}

function pathParameter(name: string, schema: JsonSchema): JsonSchema {
  const description = pathDescriptions[name];
  if (description === undefined) throw new Error(`path segment ${name} has no description; add it to pathDescriptions`);
  return { name, in: 'path', required: true, description, schema: withReferences(schema, 'request') };
}
