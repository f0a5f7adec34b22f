/** Parses a policy's content. Faults are collected by the reader; rules over several members are in check-policy.ts. */

import type { JsonReader, UnknownObject } from '#libs/credit/json-reader.ts';
import { isStatableRate, type RateFraction, rateFraction, type StatedNumber } from '#libs/credit/numbers.ts';
import {
  type Band,
  type Bin,
  bandOutcomes,
  type Characteristic,
  comparisons,
  type Knockout,
  knockoutOutcomes,
  type NumberRange,
  type Policy,
} from '#libs/credit/policy.ts';
import { isTimeZone } from '#libs/credit/time-zone.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { array, type MoneyJson, money, object, optional, required } from '#libs/schema/objects.ts';
import { decimal, integer, oneOf, text } from '#libs/schema/scalars.ts';
import type { Schema } from '#libs/schema/schema.ts';

/** Limits points so that a score, which is a sum of them, stays an exact integer. */
const maxPoints = 1_000_000_000;
export const maxMoratoriumDays = 36_600;
const maxTermPeriods = 600;
const maxNameLength = 64;
const maxTextLength = 2000;

const policyName = text(maxNameLength);
const points = integer(-maxPoints, maxPoints);
const moratorium = optional(
  integer(0, maxMoratoriumDays),
  'With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred.',
);
const range = {
  from: optional(decimal, 'The first value of the range. Without it the range has no beginning.'),
  to: optional(decimal, 'The end of the range, which is not part of it. Without it the range has no end.'),
};

function listOf<T>(element: Schema<T>, minItems = 0): Schema<readonly T[]> {
  return array(element, { minItems, maxItems: Number.MAX_SAFE_INTEGER });
}

const knockout = object({
  id: required(policyName, 'The name of the rule in the trace. Each rule has another one.'),
  text: required(text(maxTextLength), 'What the rule says, for readers of the trace.'),
  attribute: required(policyName, 'The attribute that is compared.'),
  comparison: required(oneOf(enumerations.comparison), 'The rule fires where the attribute is this to `bound`.'),
  bound: required(decimal, 'The number that the attribute is compared with.'),
  outcome: required(
    oneOf({ open: false, members: knockoutOutcomes }),
    'The outcome of the Decision where this is the first rule that fires.',
  ),
  moratorium_days: moratorium,
  when_unknown: required(
    oneOf(enumerations.when_unknown),
    'What the rule does where the application does not state the attribute.',
  ),
});

const characteristic = object({
  id: required(policyName, 'The name of the line in the trace. Each line has another one.'),
  attribute: required(policyName, 'The attribute that earns points.'),
  bins: required(
    listOf(object({ ...range, points: required(points, 'The points of a value in this range.') })),
    'Ranges that do not overlap. A value in none of them earns no points.',
  ),
  when_unknown: required(points, 'The points where the application does not state the attribute.'),
});

const band = object({
  id: required(policyName, 'The name of the band in the Decision. Each band has another one.'),
  ...range,
  outcome: required(oneOf(enumerations.decision_outcome), 'The outcome of a score in this band.'),
  rate: optional(rateFraction),
  terms: optional(
    array(integer(1, maxTermPeriods), { minItems: 1, maxItems: maxTermPeriods }),
    'On an approval: the numbers of periods offered, ascending. Those of the product by default.',
  ),
  principal_max: optional(money),
  moratorium_days: moratorium,
});

/** A policy's content as the OpenAPI document describes it. `readPolicyContent` refuses its faults with `invalid_policy`. */
export const policyContent = object({
  attributes: required(
    listOf(
      object({
        name: required(policyName, 'The name that applications and rules use.'),
        unit: optional(policyName, 'What its number counts, for readers.'),
      }),
    ),
    'What an application may state about an applicant.',
  ),
  knockouts: required(listOf(knockout), 'Rules in order. The first that fires decides, whatever the score.'),
  base_points: required(points, 'The score before the scorecard.'),
  scorecard: required(listOf(characteristic), 'The points by attribute. The score is their sum with `base_points`.'),
  bands: required(listOf(band, 1), 'The outcomes by score. Every whole number is in exactly one band.'),
  time_zone: optional(
    text(),
    'The IANA time zone in which the day of the Decision is found. That of the Tenancy by default.',
  ),
});

export function readPolicyContent(reader: JsonReader, content: unknown): Policy {
  const at = '/content';
  const required = ['attributes', 'knockouts', 'base_points', 'scorecard', 'bands'];
  const members = reader.members(content, at, required, ['time_zone']);
  const attributes = readAttributes(reader, members['attributes'], `${at}/attributes`);
  const knockouts = reader.list(members['knockouts'], `${at}/knockouts`, (item, itemAt) =>
    readKnockout(reader, item, itemAt),
  );
  const basePoints = readPoints(reader, members['base_points'], `${at}/base_points`);
  const scorecard = reader.list(members['scorecard'], `${at}/scorecard`, (item, itemAt) =>
    readCharacteristic(reader, item, itemAt),
  );
  const bands = reader.list(members['bands'], `${at}/bands`, (item, itemAt) => readBand(reader, item, itemAt));
  const timeZone = members['time_zone'];
  return {
    attributes,
    knockouts,
    basePoints,
    scorecard,
    bands,
    ...(timeZone === undefined ? {} : { timeZone: readTimeZone(reader, timeZone, `${at}/time_zone`) }),
  };
}

function readAttributes(reader: JsonReader, value: unknown, at: string): ReadonlySet<string> {
  const names = reader.list(value, at, (item, itemAt) => {
    const { name, unit } = reader.members(item, itemAt, ['name'], ['unit']);
    if (unit !== undefined) reader.name(unit, `${itemAt}/unit`, maxNameLength);
    return reader.name(name, `${itemAt}/name`, maxNameLength);
  });
  const unique = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (unique.has(name)) reader.addFault(`${at}/${index}/name`, 'a name used once', name);
    unique.add(name);
  }
  return unique;
}

function readKnockout(reader: JsonReader, item: unknown, at: string): Knockout {
  const members = reader.members(
    item,
    at,
    ['id', 'text', 'attribute', 'comparison', 'bound', 'outcome', 'when_unknown'],
    ['moratorium_days'],
  );
  return {
    id: reader.name(members['id'], `${at}/id`, maxNameLength),
    text: reader.text(members['text'], `${at}/text`, maxTextLength),
    attribute: reader.name(members['attribute'], `${at}/attribute`, maxNameLength),
    comparison: reader.oneOf(members['comparison'], `${at}/comparison`, comparisons),
    bound: reader.decimal(members['bound'], `${at}/bound`),
    statedBound: members['bound'] as StatedNumber,
    outcome: reader.oneOf(members['outcome'], `${at}/outcome`, knockoutOutcomes),
    ...readMoratorium(reader, members, at),
    firesUnknown: reader.oneOf(members['when_unknown'], `${at}/when_unknown`, ['fires', 'passes']) === 'fires',
  };
}

function readCharacteristic(reader: JsonReader, item: unknown, at: string): Characteristic {
  const members = reader.members(item, at, ['id', 'attribute', 'bins', 'when_unknown'], []);
  return {
    id: reader.name(members['id'], `${at}/id`, maxNameLength),
    attribute: reader.name(members['attribute'], `${at}/attribute`, maxNameLength),
    bins: reader.list(members['bins'], `${at}/bins`, (bin, binAt) => readBin(reader, bin, binAt)),
    pointsUnknown: readPoints(reader, members['when_unknown'], `${at}/when_unknown`),
  };
}

function readBin(reader: JsonReader, item: unknown, at: string): Bin {
  const members = reader.members(item, at, ['points'], ['from', 'to']);
  return { ...readRange(reader, members, at), points: readPoints(reader, members['points'], `${at}/points`) };
}

function readBand(reader: JsonReader, item: unknown, at: string): Band {
  const optional = ['from', 'to', 'rate', 'terms', 'principal_max', 'moratorium_days'];
  const members = reader.members(item, at, ['id', 'outcome'], optional);
  const { rate, terms, principal_max: principalMax } = members;
  const band: Band = {
    id: reader.name(members['id'], `${at}/id`, maxNameLength),
    ...readRange(reader, members, at),
    outcome: reader.oneOf(members['outcome'], `${at}/outcome`, bandOutcomes),
    ...(rate === undefined ? {} : { rate: readRateFraction(reader, rate, `${at}/rate`) }),
    ...(terms === undefined ? {} : { terms: readTerms(reader, terms, `${at}/terms`) }),
    ...(principalMax === undefined ? {} : { principalMax: readMoney(reader, principalMax, `${at}/principal_max`) }),
    ...readMoratorium(reader, members, at),
  };
  // Without a rate nothing could be issued under the approval.
  if (band.outcome === 'approve' && rate === undefined) {
    reader.addFault(`${at}/rate`, 'required where the outcome is approve');
  }
  return band;
}

function readRange(reader: JsonReader, members: UnknownObject, at: string): NumberRange {
  const { from, to } = members;
  return {
    ...(from === undefined ? {} : { from: reader.decimal(from, `${at}/from`) }),
    ...(to === undefined ? {} : { to: reader.decimal(to, `${at}/to`) }),
  };
}

function readMoratorium(reader: JsonReader, members: UnknownObject, at: string): { readonly moratoriumDays?: number } {
  const days = members['moratorium_days'];
  return days === undefined ? {} : { moratoriumDays: readMoratoriumDays(reader, days, `${at}/moratorium_days`) };
}

function readPoints(reader: JsonReader, value: unknown, at: string): number {
  return reader.integer(value, at, -maxPoints, maxPoints);
}

function readMoratoriumDays(reader: JsonReader, value: unknown, at: string): number {
  return reader.integer(value, at, 0, maxMoratoriumDays);
}

function readRateFraction(reader: JsonReader, value: unknown, at: string): RateFraction {
  const members = reader.members(value, at, ['numerator', 'denominator', 'quotation'], []);
  const fraction: RateFraction = {
    numerator: reader.integer(members['numerator'], `${at}/numerator`, 1, Number.MAX_SAFE_INTEGER),
    denominator: reader.integer(members['denominator'], `${at}/denominator`, 1, Number.MAX_SAFE_INTEGER),
    quotation: reader.oneOf(members['quotation'], `${at}/quotation`, ['nominal_annual']),
  };
  if (!isStatableRate(fraction)) {
    reader.addFault(at, 'below 1000000 per cent', `${fraction.numerator}/${fraction.denominator}`);
  }
  return fraction;
}

function readMoney(reader: JsonReader, value: unknown, at: string): MoneyJson {
  const members = reader.members(value, at, ['minor_units', 'currency'], []);
  const minorUnits = reader.integer(members['minor_units'], `${at}/minor_units`, 1, Number.MAX_SAFE_INTEGER);
  const currency = members['currency'];
  if (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)) return { minor_units: minorUnits, currency };
  reader.addFault(`${at}/currency`, 'three upper-case letters', currency);
  return { minor_units: minorUnits, currency: '' };
}

function readTerms(reader: JsonReader, value: unknown, at: string): readonly number[] {
  const terms = reader.list(value, at, (item, itemAt) => reader.integer(item, itemAt, 1, maxTermPeriods));
  if (terms.length === 0) reader.addFault(at, 'at least one term', 'none');
  for (const [index, term] of terms.entries()) {
    const previous = terms[index - 1];
    if (previous !== undefined && term <= previous) reader.addFault(`${at}/${index}`, `above ${previous}`, term);
  }
  return terms;
}

function readTimeZone(reader: JsonReader, value: unknown, at: string): string {
  if (typeof value === 'string' && isTimeZone(value)) return value;
  reader.addFault(at, 'the name of an IANA time zone', value);
  return '';
}
