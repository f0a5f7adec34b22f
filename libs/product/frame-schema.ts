/** The frame as the OpenAPI document states it, one schema for each archetype. Pure. */

import { FRAME, type Rule, type Unstated } from '#libs/product/frame-table.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonSchema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';

/** What `values` may hold; a locked field is no property, since stating it is refused. */
export function valuesSchema(archetype: Archetype): JsonSchema {
  const rows = FRAME.filter(({ on }) => on[archetype].is !== 'locked');
  return {
    type: 'object',
    properties: Object.fromEntries(
      rows.map(({ field, form, on, says }) => [
        field,
        { ...form.jsonSchema, ...describe(says, form.jsonSchema, on[archetype]) },
      ]),
    ),
    required: rows.filter(({ on }) => on[archetype].is === 'required').map(({ field }) => field),
    additionalProperties: false,
  };
}

function describe(says: string, { description }: JsonSchema, rule: Rule): JsonSchema {
  const otherwise = rule.is === 'optional' ? rule.otherwise : undefined;
  const sentences = [says, description as string | undefined, otherwise && unstatedSays(otherwise)];
  const text = sentences.filter((sentence) => sentence !== undefined && sentence !== '').join(' ');
  return { description: text, ...(otherwise?.takes === 'value' ? { default: otherwise.value as Json } : {}) };
}

function unstatedSays(unstated: Unstated): string {
  switch (unstated.takes) {
    case 'value':
      return '';
    case 'no_money':
      return 'Nothing where not stated.';
    case 'absence':
      return 'None where not stated.';
    case 'market':
      return "The market's where not stated.";
  }
}
