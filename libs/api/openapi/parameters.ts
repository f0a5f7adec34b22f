/** What a request says beside its body: names in the path, the query, headers. */

import { namesIn } from '#libs/api/openapi/codes.ts';
import { referred } from '#libs/api/openapi/schemas.ts';
import type { Asked } from '#libs/api/query.ts';
import { type Route, segments } from '#libs/api/route.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { Contract } from '#libs/api/versions.ts';
import type { JsonSchema } from '#libs/schema/form.ts';

const inPath: { readonly [name: string]: string } = {
  tenant_id: 'The Tenancy the key acts for.',
  loan_id: 'The identifier the service gave the Loan.',
  quote_id: 'The identifier the service gave the quote.',
  decision_id: 'The identifier the service gave the Decision.',
  facility_id: 'The identifier the service gave the facility.',
  client_id: "The caller's own word for the Client.",
  merchant_ref: "The caller's own word for the merchant.",
  policy: "The caller's own word for the policy.",
  jurisdiction: 'The code of a market, in upper case.',
  receipt_reference: "The caller's own reference of the Receipt, percent-encoded.",
  lookup_key: "The caller's own word for a version, not shaped like a composed identifier or a UUID.",
  configuration_id: 'The identifier the service composed.',
  configuration_version: 'From 1.',
  policy_version: 'From 1.',
};

const inQuery: { readonly [name: string]: string } = {
  on: 'The civil day that is asked about. The service supplies no today.',
  from: 'The first day.',
  to: 'The last day; not before `from`.',
  known_at: 'Answer from what was recorded by this moment, withdrawals included.',
  limit: 'How many at most. Outside the range it is refused, never clamped.',
  cursor: 'From the page before, as it was answered. It never expires and is bound to this listing and its filters.',
  client_id: 'Only of this Client.',
  client: 'Only of this Client.',
  configuration_id: 'Only of this product, whatever the version.',
  merchant_ref: 'Only of this merchant.',
  state: 'Only in this state. `expired` requires `on`.',
  from_facts: 'How many facts the book counted then.',
  to_facts: 'How many facts it counted later: at most 500 more.',
  only: '`late` narrows to Loans that are late.',
  min_days_past_due: 'Only Loans late by so many days.',
  lookup_key: 'Only these; may be repeated.',
};

/** On a listing of Loans the day only tells a hold that ran out from one that stands. */
const otherwise: { readonly [name in RouteName]?: { readonly [parameter: string]: string } } = {
  listLoans: { on: 'The day on which `held` and `expired` are told apart.' },
};

const ref = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

export function parametersOf(name: RouteName, route: Route): readonly JsonSchema[] {
  const own = [
    ...(route.keyed ? ['IdempotencyKey'] : []),
    ...(name === 'readPaymentOptions' ? ['IfNoneMatch'] : []),
    ...(name === 'streamFeed' ? ['LastEventId'] : []),
  ];
  // Whoever asks after the service's health states no version.
  const everywhere = route.open && route.by === 'door' ? ['RequestId'] : ['ContractVersion', 'RequestId'];
  return [
    ...namesIn(route.path).map(ref),
    ...Object.entries(route.query).map(([parameter, asked]) => queryParameter(name, parameter, asked)),
    ...[...own, ...everywhere].map(ref),
  ];
}

function queryParameter(route: RouteName, name: string, asked: Asked<unknown, boolean>): JsonSchema {
  const { parameter, absent, instead, most } = asked;
  const says = otherwise[route]?.[name] ?? inQuery[name];
  if (says === undefined) throw new Error(`nothing is said of the parameter ${name}`);
  const one = instead === undefined ? parameter.schema : { ...parameter.schema, default: instead as number };
  const schema: JsonSchema = most === undefined ? one : { type: 'array', items: one, minItems: 1, maxItems: most };
  return {
    name,
    in: 'query',
    ...(absent === undefined ? {} : { required: true }),
    description: says,
    schema: referred(schema),
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
    ...Object.fromEntries(Object.entries(segments).map(([name, { schema }]) => [name, pathParameter(name, schema)])),
    ContractVersion: header(
      'Contract-Version',
      `A published version; without it the baseline \`${published[0]}\` is served.`,
      { type: 'string', enum: published, 'x-enum-open': true },
    ),
    RequestId: header(
      'Request-Id',
      "The caller's own identifier for the request, returned as `Caller-Request-Id`. Anything but 1 to 128 visible ASCII characters is neither kept nor returned.",
      { type: 'string' },
    ),
    IdempotencyKey: header(
      'Idempotency-Key',
      'The first outcome under a key answers every identical repeat for 24 hours. Signed as the fifth line.',
      { type: 'string', pattern: '^[ -~]{1,255}$' },
    ),
    IfNoneMatch: header('If-None-Match', 'The `ETag` of an answer in hand, a list of them, or `*`.', {
      type: 'string',
    }),
    LastEventId: header('Last-Event-ID', 'The `id` of the last event taken; the stream goes on behind it.', {
      type: 'string',
    }),
  };
}

function pathParameter(name: string, schema: JsonSchema): JsonSchema {
  const says = inPath[name];
  if (says === undefined) throw new Error(`nothing is said of ${name} in a path`);
  return { name, in: 'path', required: true, description: says, schema };
}
