/** A policy's content as the document states it. It is read by the library of credit, which finds fault with it. */
import { ratio } from '#libs/api/bodies/credit.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { decimal, integer, oneOf, type Schema, text } from '#libs/schema/form.ts';
import { array, money, optional, required, shape } from '#libs/schema/shape.ts';

const mostPoints = 1_000_000_000;
const mostMoratoriumDays = 36_600;
const mostTerm = 600;

const name = text(64);
const points = required(integer(-mostPoints, mostPoints));
const moratorium = optional(integer(0, mostMoratoriumDays));
const range = { from: optional(decimal), to: optional(decimal) };
const outcome = oneOf(enumerations.decision_outcome);
const knockoutOutcome = oneOf({ open: false, members: ['refuse', 'refer', 'not_offered'] });

const lists = <T>(of: Schema<T>, least = 0): Schema<readonly T[]> =>
  array(of, { least, most: Number.MAX_SAFE_INTEGER });

const attribute = shape({ name: required(name), unit: optional(name) });

const knockout = shape({
  id: required(name),
  text: required(text()),
  attribute: required(name),
  comparison: required(oneOf(enumerations.comparison)),
  bound: required(decimal),
  outcome: required(knockoutOutcome),
  moratorium_days: moratorium,
  when_unknown: required(oneOf(enumerations.when_unknown)),
});

const characteristic = shape({
  id: required(name),
  attribute: required(name),
  bins: required(lists(shape({ ...range, points }))),
  when_unknown: points,
});

const band = shape({
  id: required(name),
  ...range,
  outcome: required(outcome),
  rate: optional(ratio),
  terms: optional(array(integer(1, mostTerm), { least: 1, most: mostTerm })),
  principal_max: optional(money),
  moratorium_days: moratorium,
});

export const policyContent = shape({
  attributes: required(lists(attribute)),
  knockouts: required(lists(knockout)),
  base_points: points,
  scorecard: required(lists(characteristic)),
  bands: required(lists(band, 1)),
  time_zone: optional(text()),
});
