/** A JSON Schema for the `body` of each kind of fact in `lending.book-events`, made from the schemas of requests and answers. */

import { owed } from '#libs/api/answers/common.ts';
import { decision, facility, resolution } from '#libs/api/answers/credit.ts';
import { productValues } from '#libs/api/answers/products.ts';
import { bounds, companyProfile } from '#libs/api/answers/tenancy.ts';
import { policyContent } from '#libs/credit/read-policy.ts';
import type { Act } from '#libs/ledger/act.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import { clientBody, previewBody, receiptBody, retractionBody } from '#libs/ledger/request-bodies.ts';
import { acceleration, schedule } from '#libs/product/field-schemas.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { Json } from '#libs/schema/json.ts';
import { account, object } from '#libs/schema/objects.ts';
import {
  boolean,
  civilDay,
  currency,
  identifier,
  integer,
  minorUnits,
  oneOf,
  rate,
  text,
  uuid,
} from '#libs/schema/scalars.ts';
import type { JsonSchema, TypedJsonSchema } from '#libs/schema/schema.ts';
import { anyBookFacts, clientFacts, tenancyFacts } from './asyncapi.ts';

type Members = { readonly [name: string]: JsonSchema };

/** An object with these members, of which those named in `optionalNames` may be absent. It may gain others. */
function objectOf(properties: Members, optionalNames: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optionalNames.includes(name));
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

const anyText = text().jsonSchema;
const day = civilDay.jsonSchema;
const id = uuid.jsonSchema;
const count = integer(0).jsonSchema;
/** `currencyAt` is the path of the currency in the body. */
const minorOf = (owner: string, currencyAt: string): JsonSchema => ({
  ...minorUnits(0).jsonSchema,
  description: `Minor units of the currency of the ${owner}.`,
  'x-currency': currencyAt,
});
const minor = minorOf('terms', 'terms.currency');
const epochDay = (what: string): JsonSchema => ({
  type: 'integer',
  title: what,
  description: 'Days since 1970-01-01.',
  'x-days-since': '1970-01-01',
});
const minorAt = (title: string): JsonSchema => ({ ...minor, title });
const actOfFact = object(account).jsonSchema;
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** The members of another schema, and which of them may be absent. */
function membersOf({ jsonSchema }: TypedJsonSchema<unknown>): {
  readonly members: Members;
  readonly optional: string[];
} {
  const members = jsonSchema['properties'] as Members;
  const required = (jsonSchema['required'] ?? []) as readonly string[];
  return { members, optional: Object.keys(members).filter((name) => !required.includes(name)) };
}

function without(members: Members, ...names: string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

/**
 * What a request stated, as it is stored: any member may be absent, because requests of earlier releases lack some. A
 * default is what the service counts with, and not stored.
 */
function asStated(schema: JsonSchema): JsonSchema {
  const { required: _, default: _default, properties, items, ...others } = schema;
  const members = Object.entries((properties ?? {}) as Members).map(([name, each]) => [name, asStated(each)]);
  return {
    ...others,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(items === undefined ? {} : { items: asStated(items as JsonSchema) }),
  };
}

/** Of every archetype. A member has one meaning in all of them. */
const statedValues = asStated({
  type: 'object',
  properties: Object.assign({}, ...Object.values(productValues).map((values) => membersOf(values).members)),
});

const statedBounds = objectOf(without(membersOf(bounds).members, 'source'), Object.keys(membersOf(bounds).members));

function actBody({ requestBody, statedFields, usesCalendar }: Act): JsonSchema {
  const { members, optional } = membersOf(requestBody);
  const stated = Object.fromEntries(statedFields.map((name) => [name, members[name] as JsonSchema]));
  return objectOf({
    loan_id: id,
    event_id: id,
    on: day,
    act: actOfFact,
    ...(statedFields.length === 0 ? {} : { stated: objectOf(stated, optional) }),
    ...(usesCalendar ? { calendar: anyText } : {}),
  });
}

const terms = objectOf(
  {
    principal: minor,
    down_payment: minor,
    currency: currency.jsonSchema,
    term_periods: count,
    rate: rate.jsonSchema,
    penalty_rate: rate.jsonSchema,
    anchor: day,
    schedule: schedule.jsonSchema,
    jurisdiction: identifier.jsonSchema,
    tax: objectOf({ rate: rate.jsonSchema, on: listOf(oneOf(enumerations.charge).jsonSchema) }),
    archetype: oneOf(enumerations.archetype).jsonSchema,
    day_count_basis: anyText,
    amortisation: anyText,
    origination_fee: minor,
    late_fee: minor,
    rollover_fee: minor,
    charge_order: listOf(oneOf(enumerations.charge).jsonSchema),
    early_money_treatment: anyText,
    tolerance_days: count,
    tolerance: minor,
    penalty_base: anyText,
    penalty_ceiling_days: count,
    penalty_ceiling_bps: count,
    capitalises: boolean.jsonSchema,
    acceleration: acceleration.jsonSchema,
    max_rollovers: count,
    withdrawal_days: count,
    penalty_cap: objectOf({ form: anyText, value: anyText }, ['value']),
    late_fee_beside_penalty: boolean.jsonSchema,
    frame: objectOf(
      {
        rate_min: anyText,
        rate_max: anyText,
        penalty_rate_min: anyText,
        penalty_rate_max: anyText,
        terms: listOf(count),
        schedules: listOf(schedule.jsonSchema),
      },
      ['terms'],
    ),
    hold_until: day,
  },
  ['penalty_ceiling_days', 'penalty_ceiling_bps', 'hold_until'],
);

const plan = objectOf({
  level: minor,
  periods: listOf({
    type: 'array',
    description: 'A period of the plan; the titles are the names that it has in an answer of the API.',
    items: [
      { ...count, title: 'index' },
      epochDay('scheduled_on'),
      epochDay('due_on'),
      minorAt('principal'),
      minorAt('interest'),
      minorAt('fee'),
      minorAt('tax'),
    ],
    minItems: 7,
    maxItems: 7,
  }),
});

const disclosure = objectOf({
  jurisdiction: anyText,
  figure: anyText,
  convention: anyText,
  version: count,
  provisional: boolean.jsonSchema,
});

function statedTerms(): JsonSchema {
  const { members, optional } = membersOf(previewBody);
  const stated = {
    ...without(members, 'configuration_id', 'configuration_version', 'facility_id'),
    reference: anyText,
  };
  return objectOf(stated, [...optional, 'rate', 'penalty_rate']);
}

/** An answer of credit as its fact stores it: reference, actor and basis are under `act`. */
function creditBody(answer: TypedJsonSchema<unknown>): JsonSchema {
  const { members, optional } = membersOf(answer);
  const stored = without(
    members,
    'reference',
    'actor',
    'basis',
    'context',
    'recorded_at',
    'created_at',
    'superseded_by',
  );
  return objectOf({ act: actOfFact, ...stored }, [...optional, 'decided_at']);
}

const registration = membersOf(clientBody);

const clientBodies: { readonly [Kind in keyof typeof clientFacts]: JsonSchema } & Members = {
  ...Object.fromEntries(acts.map((act) => [act.kind, actBody(act as Act)])),
  registered: objectOf(registration.members, registration.optional),
  issued: objectOf({
    loan_id: id,
    event_id: id,
    reference: anyText,
    configuration: objectOf({ id: anyText, version: count }),
    stated: statedTerms(),
    terms,
    plan,
    disclosure,
  }),
  retracted: objectOf({
    loan_id: id,
    event_id: id,
    on: day,
    act: actOfFact,
    stated: objectOf({ event_id: membersOf(retractionBody).members['event_id'] as JsonSchema }),
  }),
  receipt_reported: objectOf(
    {
      id,
      receipt: receiptBody.jsonSchema,
      quote: objectOf({ loan_id: id, total: minorOf('Receipt', 'receipt.amount.currency') }),
    },
    ['quote'],
  ),
  receipt_reversed: objectOf({ receipt: anyText, reason: anyText, act: actOfFact }),
  payoff_quoted: objectOf(
    {
      id,
      loan_id: { ...id, description: 'Absent in facts of earlier releases.' },
      loanId: { ...id, deprecated: true, description: 'The same id under its former name.' },
      on: day,
      owed: owed.jsonSchema,
      act: actOfFact,
    },
    ['loan_id'],
  ),
  credit_decided: creditBody(decision),
  decision_resolved: creditBody(resolution),
  facility_opened: creditBody(facility),
};

const origin = objectOf({ channel: anyText, address: anyText }, ['address']);

/** Facts of earlier releases state no origin. */
function administrative(members: Members, optionalNames: readonly string[] = []): JsonSchema {
  return objectOf({ ...members, actor: anyText, origin }, [...optionalNames, 'actor', 'origin']);
}

const tenancyBodies: { readonly [Kind in keyof typeof tenancyFacts]: JsonSchema } = {
  tenancy_opened: administrative({
    name: anyText,
    live: boolean.jsonSchema,
    jurisdiction: anyText,
    time_zone: anyText,
    bounds: orNull(statedBounds),
  }),
  tenancy_closed: administrative({ basis: anyText, keys: listOf(anyText) }),
  tenancy_reopened: administrative({}),
  bounds_set: administrative({ bounds: orNull(statedBounds), before: orNull(statedBounds) }, ['before']),
  key_minted: administrative({ fp: anyText, public_key: anyText, scope: anyText, holder: anyText, label: anyText }),
  key_revoked: administrative({ fp: anyText }),
  person_act: administrative(
    { act_id: id, action: anyText, subject: anyText, before: orNull(anyText), after: orNull(anyText) },
    ['before', 'after'],
  ),
  configuration_created: objectOf({
    id: anyText,
    archetype: oneOf(enumerations.archetype).jsonSchema,
    values: statedValues,
  }),
  configuration_version: objectOf({ id: anyText, version: count, values: statedValues }),
  lookup_key_pointed: objectOf({ lookup_key: anyText, configuration_id: anyText, configuration_version: count }),
  lookup_key_removed: objectOf({ lookup_key: anyText }),
  policy_drafted: objectOf({
    policy: anyText,
    version: count,
    digest: anyText,
    content: asStated(policyContent.jsonSchema),
    drafted_by: anyText,
    act: actOfFact,
  }),
  policy_published: objectOf({
    policy: anyText,
    version: count,
    published_by: anyText,
    self_confirmed: boolean.jsonSchema,
    act: actOfFact,
  }),
  policy_adopted: objectOf({
    configuration_id: anyText,
    policy: anyText,
    version: count,
    enforce_bar: boolean.jsonSchema,
    adopted_by: anyText,
    act: actOfFact,
  }),
  company_profile_put: objectOf({ profile: asStated(companyProfile.jsonSchema) }),
};

const anyBookBodies: { readonly [Kind in keyof typeof anyBookFacts]: JsonSchema } = {
  released: administrative({ basis: anyText, drop: listOf(anyText) }),
};

/** What a request is refused for. A later release may allow more, which must not break a consumer with this schema. */
const limits = new Set([
  'x-enum-open',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
]);

/** By kind. */
export const factSchemas: { readonly [kind: string]: JsonSchema } = Object.fromEntries(
  Object.entries<JsonSchema>({ ...clientBodies, ...tenancyBodies, ...anyBookBodies }).map(([kind, schema]) => [
    kind,
    factSchema(kind, schema),
  ]),
);

function factSchema(kind: string, schema: JsonSchema): JsonSchema {
  const described: { readonly [kind: string]: string } = { ...clientFacts, ...tenancyFacts, ...anyBookFacts };
  return {
    // The newest one that the compatibility check of Apicurio Registry knows.
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Body of a fact of the kind ${kind}`,
    description: described[kind] ?? '',
    ...(openToAdditions(schema) as JsonSchema),
  };
}

/** Requests refuse members and values that they do not know; a body may gain some. */
function openToAdditions(value: Json): Json {
  if (Array.isArray(value)) return value.map(openToAdditions);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as { readonly [keyword: string]: Json };
  const isTuple = Array.isArray(schema['items']);
  const kept = Object.entries(schema).filter(
    ([keyword, at]) =>
      !(keyword === 'additionalProperties' && at === false) &&
      (isTuple || !limits.has(keyword) || typeof at === 'object'),
  );
  return Object.fromEntries(
    kept.map(([keyword, at]) => [keyword === 'enum' && Array.isArray(at) ? 'examples' : keyword, openToAdditions(at)]),
  );
}
