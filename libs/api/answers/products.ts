/** Answers about products: configurations, lookup keys, and rehearsals of other values. */

import {
  answerObject,
  anyOf,
  anyString,
  count,
  list,
  timestamp,
  wholeNumber,
} from '#libs/api/answers/answer-schema.ts';
import { amount, anomaly, cursor, refusalDetails } from '#libs/api/answers/common.ts';
import { ADVISORIES } from '#libs/product/advisories.ts';
import { FRAME, valuesSchema } from '#libs/product/frame-table.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { civilDay, identifier, integer, oneOf, reference, uuid } from '#libs/schema/scalars.ts';
import type { JsonSchema, TypedJsonSchema } from '#libs/schema/schema.ts';

/** The values of each archetype. Bodies and answers share these schemas. */
export const productValues: { readonly [archetype in 'instalment' | 'bnpl' | 'payday']: TypedJsonSchema<JsonObject> } =
  {
    instalment: { jsonSchema: valuesSchema('instalment') },
    bnpl: { jsonSchema: valuesSchema('bnpl') },
    payday: { jsonSchema: valuesSchema('payday') },
  };

/** The bodies that create a configuration, by archetype. Only the values differ. */
export const toConfigure = Object.fromEntries(
  enumerations.archetype.members.map((archetype) => [archetype, { jsonSchema: creationSchema(archetype) }]),
) as { readonly [archetype in keyof typeof productValues]: TypedJsonSchema<JsonObject> };

function creationSchema(archetype: keyof typeof productValues): JsonSchema {
  return {
    type: 'object',
    properties: {
      archetype: { type: 'string', enum: [archetype], 'x-enum-open': true },
      values: productValues[archetype].jsonSchema,
    },
    required: ['archetype', 'values'],
    additionalProperties: false,
  };
}

/** The names in the mapping are those of the document. */
export const configurationToCreate: TypedJsonSchema<JsonObject> = {
  jsonSchema: {
    oneOf: Object.values(toConfigure).map(({ jsonSchema }) => jsonSchema),
    discriminator: {
      propertyName: 'archetype',
      mapping: {
        instalment: '#/components/schemas/InstalmentToConfigure',
        bnpl: '#/components/schemas/BnplToConfigure',
        payday: '#/components/schemas/PaydayToConfigure',
      },
    },
  },
};

export const anyValues: TypedJsonSchema<JsonObject> = anyOf(
  productValues.instalment,
  productValues.bnpl,
  productValues.payday,
);

const source = oneOf(enumerations.value_source);

const fields = answerObject(
  Object.fromEntries(
    FRAME.map(({ field, schema: form }) => [
      field,
      required(answerObject({ value: optional(form), source: required(source) })),
    ]),
  ),
  'The value of every field of the frame. A field that is absent by default has no value.',
);
export const effective: TypedJsonSchema<JsonObject> = { jsonSchema: fields.jsonSchema };

export const advisories = list(
  answerObject({
    code: required(oneOf({ open: true, members: ADVISORIES.map(({ code }) => code) })),
    field: required(anyString, 'A JSON pointer to the field to change.'),
    says: required(anyString, 'A sentence for people. Its wording may change at any time.'),
  }),
  'Warnings about terms that may not be intended. They refuse nothing.',
);

const frame = { effective: required(effective), advisories: required(advisories) };
const stated = { archetype: required(oneOf(enumerations.archetype)), values: required(anyValues, 'As sent.') };

const recorded = {
  id: required(anyString),
  tenant_id: required(identifier),
  created_at: required(timestamp, 'When this version was recorded.'),
  version: required(integer(1)),
  ...stated,
};

export const configurationVersion = answerObject(recorded);
export const configuration = answerObject({ ...recorded, ...frame });
export const configurationPreview = answerObject({
  id: required(anyString, 'The identifier that creation would give. It is not reserved.'),
  ...stated,
  ...frame,
});
export const configurationPage = answerObject({
  configurations: required(list(configuration), 'The latest version of each, newest first.'),
  cursor,
});
export const versionPage = answerObject({ versions: required(list(configuration), 'Oldest first.'), cursor });

const key = {
  lookup_key: required(anyString),
  configuration_id: required(anyString),
  configuration_version: required(integer(1)),
  pointed_at: required(timestamp),
  latest_version: required(integer(1), 'The latest version of that configuration.'),
};

export const lookupKey = answerObject({ ...key, version: required(configurationVersion) });
export const lookupKeyList = answerObject({
  lookup_keys: required(
    list(answerObject({ ...key, version: optional(configurationVersion, 'Only if the query names keys.') })),
    'In the order of the keys. Not paged.',
  ),
});

const rehearsed = anyOf<string | number | PartOfAmount>(anyString, wholeNumber, amount);
type PartOfAmount = { readonly minor_units: number; readonly currency: string };

export const rehearsal = answerObject({
  configuration_id: required(anyString),
  on: required(civilDay),
  examined: required(count, 'The number of Loans examined for this page.'),
  loans: required(
    list(
      answerObject({
        loan_id: required(uuid),
        client_id: required(identifier),
        reference: required(reference),
        refused: optional(
          answerObject({ code: required(anyString), details: optional(refusalDetails) }),
          'Only if the product would not offer the Loan. Its figures then stay as issued.',
        ),
        changes: required(
          list(
            answerObject({
              figure: required(anyString),
              is: required(rehearsed),
              would_be: required(rehearsed),
              difference: optional(amount, 'Only for amounts of money.'),
            }),
          ),
        ),
        anomalies: optional(
          list(anomaly),
          "Only if the Client's book was not computed: book_not_derivable, or book_too_large for one request.",
        ),
      }),
    ),
    'The Loans that would change or whose figures are unknown, newest first. A page may be short or empty and still have a cursor.',
  ),
  cursor,
});
