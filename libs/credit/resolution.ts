/** Resolutions: a person approves or refuses what a policy referred. */

import type { Approval, Decision } from '#libs/credit/decide.ts';
import { JsonReader } from '#libs/credit/json-reader.ts';
import {
  decimalRateForm,
  fractionOfPercent,
  quotedRate,
  type RateFraction,
  rateOfFraction,
} from '#libs/credit/numbers.ts';
import { readMoney, readMoratoriumDays, readRateFraction } from '#libs/credit/read-policy.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The body of a request to resolve a Decision. */
export type ResolutionBody = {
  readonly outcome: 'approve' | 'refuse';
  readonly rate?: Json;
  readonly principal_max?: Json;
  readonly moratorium_days?: Json;
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: JsonObject;
};

/** A resolution as recorded. What an approval does not state is taken from the offer stored with the Decision. */
export type Resolution = Partial<Approval> & {
  readonly decision_id: string;
  readonly outcome: 'approve' | 'refuse';
  readonly moratorium_days?: number;
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: JsonObject;
};

/** The Decision named in the path and its existing resolution, where they are recorded. */
export type ResolutionContext = {
  readonly decision?: Decision | undefined;
  readonly existing?: Resolution | undefined;
};

export function resolveDecision(body: ResolutionBody, { decision, existing }: ResolutionContext): Resolution | Refusal {
  const stated = parseResolution(body);
  if (isRefusal(stated)) return stated;
  if (decision === undefined) return refuse('not_found');
  const { id, outcome, offer } = decision;
  if (outcome !== 'refer') return refuse('not_referred', { recorded_id: id, bound: 'refer', observed: outcome });
  if (existing !== undefined) {
    return refuse('already_resolved', { recorded_id: id, recorded_value: existing.outcome });
  }
  const { rate, principalMax, moratoriumDays } = stated;
  const { currency } = offer.principal_max;
  if (principalMax !== undefined && principalMax.currency !== currency) {
    const field = '/principal_max/currency';
    return refuse('currency_mismatch', { field, bound: currency, observed: principalMax.currency });
  }
  return {
    decision_id: id,
    outcome: body.outcome,
    ...(rate === undefined
      ? {}
      : { terms: offer.terms, rate: quotedRate(rate), principal_max: principalMax ?? offer.principal_max }),
    ...(moratoriumDays === undefined ? {} : { moratorium_days: moratoriumDays }),
    reference: body.reference,
    actor: body.actor,
    basis: body.basis,
    ...(body.context === undefined ? {} : { context: body.context }),
  };
}

export type ResolutionAnswer = Resolution & { readonly recorded_at: string };

export function resolutionAnswer(resolution: Resolution, recordedAt: string): ResolutionAnswer {
  return { ...resolution, recorded_at: recordedAt };
}

/** A rate may be stated in per cent, such as 36.5, or as a fraction of one. */
function readRate(reader: JsonReader, rate: unknown): RateFraction {
  if (typeof rate !== 'string') return readRateFraction(reader, rate, '/rate');
  const fraction = fractionOfPercent(rate);
  if (fraction === undefined) reader.addFault('/rate', 'a rate above zero', rate);
  return fraction ?? { numerator: 1, denominator: 1, quotation: 'nominal_annual' };
}

type StatedResolution = {
  readonly rate?: RateFraction;
  readonly principalMax?: MoneyJson;
  readonly moratoriumDays?: number;
};

function parseResolution(body: ResolutionBody): StatedResolution | Refusal {
  const { outcome, rate, principal_max: principalMax, moratorium_days: days } = body;
  if (outcome === 'approve' && rate === undefined) return refuse('missing_field', { field: '/rate' });
  // A member that has no effect under the outcome is refused: the caller would believe it has one.
  const unusable = outcome === 'approve' ? { moratorium_days: days } : { rate, principal_max: principalMax };
  for (const [name, value] of Object.entries(unusable)) {
    if (value !== undefined)
      return refuse('invalid_field', { field: `/${name}`, bound: `absent with outcome ${outcome}` });
  }
  const reader = new JsonReader();
  const stated: StatedResolution = {
    ...(rate === undefined ? {} : { rate: readRate(reader, rate) }),
    ...(principalMax === undefined ? {} : { principalMax: readMoney(reader, principalMax, '/principal_max') }),
    ...(days === undefined ? {} : { moratoriumDays: readMoratoriumDays(reader, days, '/moratorium_days') }),
  };
  if (reader.firstFault !== undefined) return refuse('invalid_field', reader.firstFault);
  if (stated.rate !== undefined && rateOfFraction(stated.rate) === undefined) {
    const observed = `${stated.rate.numerator}/${stated.rate.denominator}`;
    return refuse('rate_without_decimal', { field: '/rate', bound: decimalRateForm, observed });
  }
  return stated;
}
