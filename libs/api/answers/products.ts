/** Products: configurations, their lookup keys, and what a rehearsal of other values would change. */
import { amount, cursor, whyUnknown } from '#libs/api/answers/figures.ts';
import {
  always,
  anyOf,
  count,
  list,
  moment,
  object,
  type Part,
  sometimes,
  whole,
  word,
} from '#libs/api/answers/part.ts';
import { detailsPart } from '#libs/api/answers/refusal.ts';
import { ADVISORIES } from '#libs/product/advisories.ts';
import { valuesSchema } from '#libs/product/frame-schema.ts';
import { FRAME } from '#libs/product/frame-table.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { civilDay, identifier, integer, oneOf, reference, uuid } from '#libs/schema/form.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/** The values of each archetype as the frame reads them; a body and an answer hold the same. */
export const productValues: { readonly [archetype in 'instalment' | 'bnpl' | 'payday']: Part<JsonObject> } = {
  instalment: { jsonSchema: valuesSchema('instalment') },
  bnpl: { jsonSchema: valuesSchema('bnpl') },
  payday: { jsonSchema: valuesSchema('payday') },
};

export const anyValues: Part<JsonObject> = anyOf(productValues.instalment, productValues.bnpl, productValues.payday);

const source = oneOf(enumerations.value_source);

const fields = object(
  Object.fromEntries(
    FRAME.map(({ field, form }) => [field, always(object({ value: sometimes(form), source: always(source) }))]),
  ),
  'What every field of the frame takes; a field whose default is absence has no value.',
);
export const effective: Part<JsonObject> = { jsonSchema: fields.jsonSchema };

export const advisories = list(
  object({
    code: always(oneOf({ open: true, members: ADVISORIES.map(({ code }) => code) })),
    field: always(word, 'Where it would be changed: a JSON pointer.'),
    says: always(word, 'A sentence for a person; reworded without notice.'),
  }),
  'What a lender may want to look at again. They refuse nothing.',
);

const frame = { effective: always(effective), advisories: always(advisories) };
const stated = { archetype: always(oneOf(enumerations.archetype)), values: always(anyValues, 'As stated.') };

const recorded = {
  id: always(word),
  tenant_id: always(identifier),
  created_at: always(moment, 'When this version was recorded.'),
  version: always(integer(1)),
  ...stated,
};

export const configurationVersion = object(recorded);
export const configuration = object({ ...recorded, ...frame });
export const configurationPreview = object({
  id: always(word, 'What creation would compose; not reserved.'),
  ...stated,
  ...frame,
});
export const configurationPage = object({
  configurations: always(list(configuration), 'The latest version of each, newest first.'),
  cursor,
});
export const versionPage = object({ versions: always(list(configuration), 'Oldest first.'), cursor });

const key = {
  lookup_key: always(word),
  configuration_id: always(word),
  configuration_version: always(integer(1)),
  pointed_at: always(moment),
  latest_version: always(integer(1), 'The latest version of that configuration.'),
};

export const lookupKey = object({ ...key, version: always(configurationVersion) });
export const lookupKeyList = object({
  lookup_keys: always(
    list(object({ ...key, version: sometimes(configurationVersion, 'Where keys were named.') })),
    'By key; not paged.',
  ),
});

const rehearsed = anyOf<string | number | PartOfAmount>(word, whole, amount);
type PartOfAmount = { readonly minor_units: number; readonly currency: string };

export const rehearsal = object({
  configuration_id: always(word),
  on: always(civilDay),
  examined: always(count, 'Loans of the product looked at for this page.'),
  loans: always(
    list(
      object({
        loan_id: always(uuid),
        client_id: always(identifier),
        reference: always(reference),
        refused: sometimes(
          object({ code: always(word), details: sometimes(detailsPart) }),
          'Where the product would not have offered the Loan; it is left as it was issued.',
        ),
        changes: always(
          list(
            object({
              figure: always(word),
              is: always(rehearsed),
              would_be: always(rehearsed),
              difference: sometimes(amount, 'Of money.'),
            }),
          ),
        ),
        anomalies: whyUnknown,
      }),
    ),
    'Those that would change, or of which that is unknown, newest first; a page may be short or empty and still have a cursor.',
  ),
  cursor,
});
