/** Documentation of the routes about product configurations, lookup keys and adoption of policies. */
import { described } from '#libs/api/answers/answer-schema.ts';
import { adoption } from '#libs/api/answers/credit.ts';
import {
  anyValues,
  configuration,
  configurationPage,
  configurationPreview,
  configurationToCreate,
  lookupKey,
  lookupKeyList,
  rehearsal,
  versionPage,
} from '#libs/api/answers/products.ts';
import { type Operation, readOperation, recordOperation } from '#libs/api/openapi/operation-definition.ts';
import { rehearsalBody } from '#libs/ledger/request-bodies.ts';
import { configurationVersionBody } from '#libs/product/configurations.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import type { JsonSchema, Schema } from '#libs/schema/schema.ts';

const tag = 'Products';

/** The refusals of the frame. */
const frameCodes: readonly RefusalCode[] = ['field_locked', 'inconsistent_values', 'amount_out_of_range'];

/** The body with the values of any archetype; the configuration in the path decides which. */
function withValues({ jsonSchema: schema }: Schema<unknown>): JsonSchema {
  const properties = schema['properties'] as JsonSchema;
  const values = described(anyValues.jsonSchema, 'All values, by the archetype of the configuration.');
  return { ...schema, properties: { ...properties, values } };
}

const idempotencyText =
  'With an `Idempotency-Key`, identical requests get the first outcome for 24 hours; without one, every request records a new one.';
const oneTenancy = "Reads the Tenancy's own book: every fact recorded about its products.";

export const productOperations = {
  createConfiguration: {
    tag,
    summary: 'Create a configuration',
    description: `Records a configuration at version 1. ${idempotencyText}`,
    answer: configuration,
    statuses: [201],
    refuses: ['contended', ...frameCodes],
    body: configurationToCreate.jsonSchema,
  },
  previewConfiguration: readOperation({
    tag,
    summary: 'Preview a configuration',
    description: 'Runs every check of creation in the same order and records nothing.',
    answer: configurationPreview,
    refuses: frameCodes,
    body: configurationToCreate.jsonSchema,
  }),
  listConfigurations: readOperation({
    tag,
    summary: 'List the configurations',
    description: oneTenancy,
    answer: configurationPage,
  }),
  readConfiguration: readOperation({
    tag,
    summary: 'Read a configuration at its latest version',
    description: oneTenancy,
    answer: configuration,
    refuses: ['contract_version_required'],
  }),
  listConfigurationVersions: readOperation({
    tag,
    summary: 'List the versions of a configuration',
    description: oneTenancy,
    answer: versionPage,
  }),
  writeConfigurationVersion: {
    tag,
    summary: 'Write a new version of a configuration',
    description: `Records all values as the next version. Issued Loans do not change. ${idempotencyText}`,
    answer: configuration,
    statuses: [201],
    refuses: ['contended', ...frameCodes],
    body: withValues(configurationVersionBody),
  },
  readConfigurationVersion: readOperation({
    tag,
    summary: 'Read one version of a configuration',
    description: oneTenancy,
    answer: configuration,
    refuses: ['contract_version_required'],
  }),
  adoptPolicy: recordOperation({
    tag: 'Credit',
    summary: 'Adopt a policy for a configuration',
    description:
      'Records which published policy version decides for all versions of the configuration from the next Decision on.',
    answer: adoption,
    refuses: ['no_policy'],
  }),
  readAdoptedPolicy: readOperation({
    tag: 'Credit',
    summary: 'Read which policy a configuration has adopted',
    description: `${oneTenancy} \`not_found\` where no policy was adopted.`,
    answer: adoption,
  }),
  rehearse: readOperation({
    tag,
    summary: 'Rehearse other values of a product',
    description:
      'Reads the books of the Clients that hold Loans of the product, computes them with the other values and lists what would change. A page with long books may end before its limit; `examined` is the number of Loans examined. If the book of a Client cannot be computed, its Loans are listed without changes, with `book_not_derivable` in their `anomalies`; if it is too large for one request, with `book_too_large`. Records nothing.',
    answer: rehearsal,
    refuses: frameCodes,
    body: withValues(rehearsalBody),
  }),
  listLookupKeys: readOperation({
    tag,
    summary: 'List the lookup keys',
    description: oneTenancy,
    answer: lookupKeyList,
  }),
  readLookupKey: readOperation({
    tag,
    summary: 'Read a lookup key',
    description: oneTenancy,
    answer: lookupKey,
    refuses: ['contract_version_required'],
  }),
  pointLookupKey: {
    tag,
    summary: 'Point a lookup key at a version',
    description:
      'Records which version the key names: 201 if the key is new, 200 if it names that version already or was moved by `transfer`. Agents cannot do this on a live Tenancy.',
    answer: lookupKey,
    statuses: [201, 200],
    refuses: ['no_configuration', 'lookup_key_taken', 'contended'],
  },
  removeLookupKey: {
    tag,
    summary: 'Remove a lookup key',
    description: 'Records the removal and answers the key as it was. Agents cannot do this on a live Tenancy.',
    answer: lookupKey,
    statuses: [200],
    refuses: ['not_found', 'contended'],
  },
} as const satisfies { readonly [route: string]: Operation };
