/** The forms of the frame that no other body has. Pure. */
import { schedule } from '#libs/product/schedule-schema.ts';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import { boolean, identifier, integer, isIdentifier, type Schema, type SchemaFault } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { array, required, shape } from '#libs/schema/shape.ts';

/** The longest term a plan can have. */
export const MOST_PERIODS = 600;
const MOST_NOTICE_DAYS = 366;

/** A lender's word where only some are known: any other is taken and read by nothing. */
export function word(known: readonly string[]): Schema<string> {
  const fault: SchemaFault = { code: 'invalid_field', at: '', bound: '1 to 64 characters of letters, digits, - and _' };
  return {
    jsonSchema: {
      type: 'string',
      anyOf: [{ type: 'string', enum: known, 'x-enum-open': true }, identifier.jsonSchema],
    },
    findInvalid: (value) => (typeof value === 'string' && isIdentifier(value) ? undefined : fault),
  };
}

/** Whole numbers, at least one, each above the one before it. */
export function ascending(least: number, most: number): Schema<readonly number[]> {
  const element = array(integer(least, most), { least: 1, most: most - least + 1 });
  const bound = `ascending distinct integers from ${least} to ${most}`;
  return {
    jsonSchema: { ...element.jsonSchema, uniqueItems: true, description: 'Ascending.' },
    findInvalid(value) {
      const fault = element.findInvalid(value);
      if (fault !== undefined) return { ...fault, bound };
      const numbers = value as readonly number[];
      const at = numbers.findIndex((number, index) => number <= (numbers[index - 1] ?? 0));
      return at === -1 ? undefined : { code: 'invalid_field', at: `/${at}`, bound };
    },
  };
}

/** Each member once, in an order the caller chooses. */
export function permutation<const Member extends string>(members: readonly Member[]): Schema<readonly Member[]> {
  const { length } = members;
  const fault: SchemaFault = { code: 'invalid_field', at: '', bound: `each of ${members.join(', ')} once` };
  const holds = (value: Json): boolean =>
    Array.isArray(value) && value.length === length && members.every((member) => value.includes(member));
  return {
    jsonSchema: {
      type: 'array',
      items: { type: 'string', enum: members, 'x-enum-open': true },
      minItems: length,
      maxItems: length,
      uniqueItems: true,
    },
    findInvalid: (value) => (holds(value) ? undefined : fault),
  };
}

const several = array(schedule, { least: 2, most: 12 });

/** Schedules of which a Loan must state one: two that are equal would be no choice. */
export const menu: typeof several = {
  ...several,
  jsonSchema: { ...several.jsonSchema, uniqueItems: true },
  findInvalid(value) {
    const fault = several.findInvalid(value);
    if (fault !== undefined) return fault;
    const texts = (value as readonly Json[]).map(canonicalJson);
    const at = texts.findIndex((text, index) => texts.indexOf(text) !== index);
    return at === -1 ? undefined : { code: 'invalid_field', at: `/${at}`, bound: 'distinct schedules' };
  },
};

/** Zero missed periods are a form, though no call is earned before one is late: a lender may renounce the call in full. */
export const acceleration = shape({
  forbidden: required(boolean),
  missed_periods: required(integer(0, MOST_PERIODS)),
  notice_days: required(integer(0, MOST_NOTICE_DAYS)),
});
