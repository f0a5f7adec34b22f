/** The values of a product as inputs of a form, and back. What is no value is passed on as it is: the API refuses it. */
import type { FieldName } from '#libs/product/frame-table.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { Money } from '#libs/sdk/src/contract/shapes.ts';
import { decimalText, parseAmount } from '../amounts.ts';
import type { Texts } from '../texts/en.ts';
import { type FieldKind, fieldKinds, statableFields } from './field-kinds.ts';

/** By the name of the input: the field, or the field and a member, `schedule.kind`. An empty one states nothing. */
export type FormInputs = { readonly [name: string]: string };

export const scheduleMembers = ['kind', 'interval_days', 'day_of_month', 'first_after_days'] as const;
export const accelerationMembers = ['forbidden', 'missed_periods', 'notice_days'] as const;

export function inputNames(name: FieldName): readonly string[] {
  const kind = fieldKinds[name];
  const members = kind === 'schedule' ? scheduleMembers : kind === 'acceleration' ? accelerationMembers : undefined;
  return members?.map((member) => `${name}.${member}`) ?? [name];
}

export function inputsOf(values: JsonObject): FormInputs {
  const entries = Object.entries(values).flatMap(([name, value]): (readonly [string, string])[] => {
    const kind = fieldKinds[name as FieldName];
    if (kind === 'money') return [[name, decimalText(value as Money)]];
    if (kind === 'integers' || kind === 'order') return [[name, (value as readonly Json[]).join(', ')]];
    if (kind === 'schedules') return [[name, JSON.stringify(value)]];
    if (kind === 'schedule' || kind === 'acceleration') {
      return Object.entries(value as JsonObject).map(([member, each]) => [`${name}.${member}`, String(each)]);
    }
    return [[name, String(value)]];
  });
  return Object.fromEntries(entries);
}

/** How amounts were entered. */
export interface AmountForm {
  readonly texts: Texts;
  readonly currency: string;
}

export function valuesOf(inputs: FormInputs, archetype: string, amounts: AmountForm): JsonObject {
  const entries = statableFields(archetype).flatMap((name): (readonly [string, Json])[] => {
    const value = statedValue(name, inputs, amounts);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function statedValue(name: FieldName, inputs: FormInputs, amounts: AmountForm): Json | undefined {
  const kind = fieldKinds[name];
  if (kind === 'schedule' || kind === 'acceleration') {
    const members = inputNames(name).flatMap((input): (readonly [string, Json])[] => {
      const text = inputs[input] ?? '';
      return text === '' ? [] : [[input.slice(name.length + 1), memberOf(text)]];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  const text = inputs[name] ?? '';
  return text === '' ? undefined : scalarOf(kind, text, amounts);
}

function scalarOf(kind: FieldKind, text: string, { texts, currency }: AmountForm): Json {
  switch (kind) {
    case 'money': {
      const units = parseAmount(texts, text, currency);
      return units === undefined ? text : { minor_units: units, currency };
    }
    case 'integer':
    case 'tenThousandths':
    case 'boolean':
      return memberOf(text);
    case 'integers':
      return text.split(/[\s,]+/).map(memberOf);
    case 'order':
      return text.split(/[\s,]+/);
    case 'schedules':
      return parsed(text);
    default:
      return text;
  }
}

function memberOf(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
