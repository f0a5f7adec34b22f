import { adoption } from '#libs/api/answers/credit.ts';
import { described } from '#libs/api/answers/part.ts';
import {
  anyValues,
  configuration,
  configurationPage,
  configurationPreview,
  lookupKey,
  lookupKeyList,
  productValues,
  rehearsal,
  versionPage,
} from '#libs/api/answers/products.ts';
import { configurationVersionBody, rehearsalBody } from '#libs/api/bodies/products.ts';
import { asks, type Operation, records } from '#libs/api/openapi/operation.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { JsonSchema, Schema } from '#libs/schema/form.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';

const tag = 'Products';

/** How the frame of an archetype finds fault with values. */
const frame: readonly RefusalCode[] = ['field_locked', 'inconsistent_values', 'amount_out_of_range'];

/** A creation's values are those of the archetype stated beside them. */
const creation: JsonSchema = {
  oneOf: enumerations.archetype.members.map((archetype) => ({
    type: 'object',
    title: archetype,
    properties: {
      archetype: { type: 'string', enum: [archetype], 'x-enum-open': true },
      values: productValues[archetype].jsonSchema,
    },
    required: ['archetype', 'values'],
    additionalProperties: false,
  })),
};

/** The body with its values as the frames read them: which one, the configuration named in the path decides. */
function withValues({ jsonSchema: schema }: Schema<unknown>): JsonSchema {
  const properties = schema['properties'] as JsonSchema;
  const values = described(anyValues.jsonSchema, 'Whole, by the archetype of the configuration.');
  return { ...schema, properties: { ...properties, values } };
}

const onceByKey =
  'Under an `Idempotency-Key` the first outcome answers every repeat for 24 hours; without one each call records another.';
const oneTenancy = "Reads the Tenancy's own book: every fact recorded about its products.";

export const productOperations = {
  createConfiguration: {
    tag,
    summary: 'Create a configuration',
    says: `Records a configuration at version 1. ${onceByKey}`,
    answer: configuration,
    statuses: [201],
    refuses: ['contended', ...frame],
    body: creation,
  },
  previewConfiguration: asks({
    tag,
    summary: 'Preview a configuration',
    says: 'Runs every check of creation in the same order and records nothing.',
    answer: configurationPreview,
    refuses: frame,
    body: creation,
  }),
  listConfigurations: asks({ tag, summary: 'List the configurations', says: oneTenancy, answer: configurationPage }),
  readConfiguration: asks({
    tag,
    summary: 'Read a configuration at its latest version',
    says: oneTenancy,
    answer: configuration,
    refuses: ['contract_version_required'],
  }),
  listConfigurationVersions: asks({
    tag,
    summary: 'List the versions of a configuration',
    says: oneTenancy,
    answer: versionPage,
  }),
  writeConfigurationVersion: {
    tag,
    summary: 'Write a new version of a configuration',
    says: `Records the values whole, as the next version. No issued Loan changes. ${onceByKey}`,
    answer: configuration,
    statuses: [201],
    refuses: ['contended', ...frame],
    body: withValues(configurationVersionBody),
  },
  readConfigurationVersion: asks({
    tag,
    summary: 'Read one version of a configuration',
    says: oneTenancy,
    answer: configuration,
    refuses: ['contract_version_required'],
  }),
  adoptPolicy: records({
    tag: 'Credit',
    summary: 'Adopt a policy for a configuration',
    says: 'Records which published version decides for every version of the configuration from the next Decision on.',
    answer: adoption,
    refuses: ['no_policy'],
  }),
  rehearse: asks({
    tag,
    summary: 'Rehearse other values of a product',
    says: 'Reads the books of the Clients who hold Loans of the product, folds them under the other values and lists what would change. A page ends before its limit where its books are long: `examined` tells how many Loans were looked at. Loans of a Client whose book cannot be derived from what is recorded are listed without changes, with `book_not_derivable` in their `anomalies`. Records nothing.',
    answer: rehearsal,
    refuses: frame,
    body: withValues(rehearsalBody),
  }),
  listLookupKeys: asks({ tag, summary: 'List the lookup keys', says: oneTenancy, answer: lookupKeyList }),
  readLookupKey: asks({
    tag,
    summary: 'Read a lookup key',
    says: oneTenancy,
    answer: lookupKey,
    refuses: ['contract_version_required'],
  }),
  pointLookupKey: {
    tag,
    summary: 'Point a lookup key at a version',
    says: 'Records the pointing: 201 where the key named nothing, 200 where it names that version already or was moved by `transfer`. On a live Tenancy an agent cannot.',
    answer: lookupKey,
    statuses: [201, 200],
    refuses: ['no_configuration', 'lookup_key_taken', 'contended'],
  },
  removeLookupKey: {
    tag,
    summary: 'Remove a lookup key',
    says: 'Records the removal and answers the key as it last read. On a live Tenancy an agent cannot.',
    answer: lookupKey,
    statuses: [200],
    refuses: ['not_found', 'contended'],
  },
} as const satisfies { readonly [route: string]: Operation };
