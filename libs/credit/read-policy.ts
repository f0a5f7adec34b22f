import type { Stated } from '#libs/credit/decimal.ts';
import type { Money } from '#libs/credit/money.ts';
import {
  type Band,
  type Bin,
  bandOutcomes,
  type Characteristic,
  comparisons,
  type Knockout,
  knockoutOutcomes,
  type Policy,
  type Range,
} from '#libs/credit/policy.ts';
import type { Members, Reading } from '#libs/credit/policy-input.ts';
import { isWithinRates, type Ratio } from '#libs/credit/ratio.ts';
import { isTimeZone } from '#libs/credit/time-zone.ts';

/** Points are bounded so that no sum of them leaves the integers a score may be. */
const MOST_POINTS = 1_000_000_000;
const MOST_MORATORIUM_DAYS = 36_600;
const MOST_TERM = 600;
const NAME = 64;
const WORDS = 2000;

export function readContent(reading: Reading, content: unknown): Policy {
  const at = '/content';
  const all = ['attributes', 'knockouts', 'base_points', 'scorecard', 'bands'];
  const members = reading.members(content, at, all, ['time_zone']);
  const attributes = reading.list(members['attributes'], `${at}/attributes`, (item, itemAt) => {
    const { name, unit } = reading.members(item, itemAt, ['name'], ['unit']);
    if (unit !== undefined) reading.name(unit, `${itemAt}/unit`, NAME);
    return reading.name(name, `${itemAt}/name`, NAME);
  });
  const named = new Set<string>();
  for (const [index, name] of attributes.entries()) {
    if (named.has(name)) reading.note(`${at}/attributes/${index}/name`, 'a name used once', name);
    named.add(name);
  }
  const knockouts = reading.list(members['knockouts'], `${at}/knockouts`, (item, itemAt) =>
    readKnockout(reading, item, itemAt),
  );
  const basePoints = readPoints(reading, members['base_points'], `${at}/base_points`);
  const scorecard = reading.list(members['scorecard'], `${at}/scorecard`, (item, itemAt) =>
    readCharacteristic(reading, item, itemAt),
  );
  const bands = reading.list(members['bands'], `${at}/bands`, (item, itemAt) => readBand(reading, item, itemAt));
  const timeZone = members['time_zone'];
  if (timeZone === undefined) return { attributes: named, knockouts, basePoints, scorecard, bands };
  return {
    attributes: named,
    knockouts,
    basePoints,
    scorecard,
    bands,
    timeZone: readTimeZone(reading, timeZone, `${at}/time_zone`),
  };
}

function readKnockout(reading: Reading, item: unknown, at: string): Knockout {
  const members = reading.members(
    item,
    at,
    ['id', 'text', 'attribute', 'comparison', 'bound', 'outcome', 'when_unknown'],
    ['moratorium_days'],
  );
  return {
    id: reading.name(members['id'], `${at}/id`, NAME),
    text: reading.text(members['text'], `${at}/text`, WORDS),
    attribute: reading.name(members['attribute'], `${at}/attribute`, NAME),
    comparison: reading.oneOf(members['comparison'], `${at}/comparison`, comparisons),
    bound: reading.decimal(members['bound'], `${at}/bound`),
    statedBound: members['bound'] as Stated,
    outcome: reading.oneOf(members['outcome'], `${at}/outcome`, knockoutOutcomes),
    ...readMoratorium(reading, members, at),
    firesUnknown: reading.oneOf(members['when_unknown'], `${at}/when_unknown`, ['fires', 'passes']) === 'fires',
  };
}

function readCharacteristic(reading: Reading, item: unknown, at: string): Characteristic {
  const members = reading.members(item, at, ['id', 'attribute', 'bins', 'when_unknown'], []);
  return {
    id: reading.name(members['id'], `${at}/id`, NAME),
    attribute: reading.name(members['attribute'], `${at}/attribute`, NAME),
    bins: reading.list(members['bins'], `${at}/bins`, (bin, binAt) => readBin(reading, bin, binAt)),
    pointsUnknown: readPoints(reading, members['when_unknown'], `${at}/when_unknown`),
  };
}

function readBin(reading: Reading, item: unknown, at: string): Bin {
  const members = reading.members(item, at, ['points'], ['from', 'to']);
  return { ...readRange(reading, members, at), points: readPoints(reading, members['points'], `${at}/points`) };
}

function readBand(reading: Reading, item: unknown, at: string): Band {
  const optional = ['from', 'to', 'rate', 'terms', 'principal_max', 'moratorium_days'];
  const members = reading.members(item, at, ['id', 'outcome'], optional);
  const { rate, terms, principal_max: principalMax } = members;
  const band: Band = {
    id: reading.name(members['id'], `${at}/id`, NAME),
    ...readRange(reading, members, at),
    outcome: reading.oneOf(members['outcome'], `${at}/outcome`, bandOutcomes),
    ...(rate === undefined ? {} : { rate: readRatio(reading, rate, `${at}/rate`) }),
    ...(terms === undefined ? {} : { terms: readTerms(reading, terms, `${at}/terms`) }),
    ...(principalMax === undefined ? {} : { principalMax: readMoney(reading, principalMax, `${at}/principal_max`) }),
    ...readMoratorium(reading, members, at),
  };
  // An approval without a rate would approve nothing that can be issued.
  if (band.outcome === 'approve' && rate === undefined)
    reading.note(`${at}/rate`, 'required where the outcome is approve');
  return band;
}

function readRange(reading: Reading, members: Members, at: string): Range {
  const { from, to } = members;
  return {
    ...(from === undefined ? {} : { from: reading.decimal(from, `${at}/from`) }),
    ...(to === undefined ? {} : { to: reading.decimal(to, `${at}/to`) }),
  };
}

function readMoratorium(reading: Reading, members: Members, at: string): { readonly moratoriumDays?: number } {
  const days = members['moratorium_days'];
  return days === undefined ? {} : { moratoriumDays: readMoratoriumDays(reading, days, `${at}/moratorium_days`) };
}

function readPoints(reading: Reading, value: unknown, at: string): number {
  return reading.integer(value, at, -MOST_POINTS, MOST_POINTS);
}

export function readMoratoriumDays(reading: Reading, value: unknown, at: string): number {
  return reading.integer(value, at, 0, MOST_MORATORIUM_DAYS);
}

export function readRatio(reading: Reading, value: unknown, at: string): Ratio {
  const members = reading.members(value, at, ['numerator', 'denominator', 'quotation'], []);
  const ratio: Ratio = {
    numerator: reading.integer(members['numerator'], `${at}/numerator`, 1, Number.MAX_SAFE_INTEGER),
    denominator: reading.integer(members['denominator'], `${at}/denominator`, 1, Number.MAX_SAFE_INTEGER),
    quotation: reading.oneOf(members['quotation'], `${at}/quotation`, ['nominal_annual']),
  };
  if (!isWithinRates(ratio)) reading.note(at, 'below 1000000 per cent', `${ratio.numerator}/${ratio.denominator}`);
  return ratio;
}

export function readMoney(reading: Reading, value: unknown, at: string): Money {
  const members = reading.members(value, at, ['minor_units', 'currency'], []);
  const minorUnits = reading.integer(members['minor_units'], `${at}/minor_units`, 1, Number.MAX_SAFE_INTEGER);
  const currency = members['currency'];
  if (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)) return { minor_units: minorUnits, currency };
  reading.note(`${at}/currency`, 'three upper-case letters', currency);
  return { minor_units: minorUnits, currency: '' };
}

function readTerms(reading: Reading, value: unknown, at: string): readonly number[] {
  const terms = reading.list(value, at, (item, itemAt) => reading.integer(item, itemAt, 1, MOST_TERM));
  if (terms.length === 0) reading.note(at, 'at least one term', 'none');
  for (const [index, term] of terms.entries()) {
    const before = terms[index - 1];
    if (before !== undefined && term <= before) reading.note(`${at}/${index}`, `above ${before}`, term);
  }
  return terms;
}

function readTimeZone(reading: Reading, value: unknown, at: string): string {
  if (typeof value === 'string' && isTimeZone(value)) return value;
  reading.note(at, 'the name of an IANA time zone', value);
  return '';
}
