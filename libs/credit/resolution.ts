import type { Approval, Decision } from '#libs/credit/decide.ts';
import type { Money } from '#libs/credit/money.ts';
import { Reading } from '#libs/credit/policy-input.ts';
import { decimalRateForm, quoted, type Ratio, rateOfRatio, ratioOfPercent } from '#libs/credit/ratio.ts';
import { readMoney, readMoratoriumDays, readRatio } from '#libs/credit/read-policy.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A person's answer to a `refer`, as its body states it. */
export type ResolutionBody = {
  readonly outcome: 'approve' | 'refuse';
  readonly rate?: unknown;
  readonly principal_max?: unknown;
  readonly moratorium_days?: unknown;
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
};

/** As recorded. What an approval leaves open is the configuration's, frozen with the Decision. */
export type Resolution = Partial<Approval> & {
  readonly decision_id: string;
  readonly outcome: 'approve' | 'refuse';
  readonly moratorium_days?: number;
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
};

/** The Decision named in the path and the resolution it has, where there are any. */
export type Resolving = { readonly decision?: Decision | undefined; readonly standing?: Resolution | undefined };

export function resolve(body: ResolutionBody, { decision, standing }: Resolving): Resolution | Refusal {
  const stated = readBody(body);
  if (isRefusal(stated)) return stated;
  if (decision === undefined) return refuse('not_found');
  const { id, outcome, offer } = decision;
  if (outcome !== 'refer') return refuse('not_referred', { recorded_id: id, bound: 'refer', observed: outcome });
  if (standing !== undefined) {
    return refuse('already_resolved', { recorded_id: id, recorded_value: standing.outcome });
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
      : { terms: offer.terms, rate: quoted(rate), principal_max: principalMax ?? offer.principal_max }),
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

/** A person may say 36.5 per cent, or the fraction it is. */
function readRate(reading: Reading, rate: unknown): Ratio {
  if (typeof rate !== 'string') return readRatio(reading, rate, '/rate');
  const ratio = ratioOfPercent(rate);
  if (ratio === undefined) reading.note('/rate', 'a rate above zero', rate);
  return ratio ?? { numerator: 1, denominator: 1, quotation: 'nominal_annual' };
}

type StatedResolution = { readonly rate?: Ratio; readonly principalMax?: Money; readonly moratoriumDays?: number };

function readBody(body: ResolutionBody): StatedResolution | Refusal {
  const { outcome, rate, principal_max: principalMax, moratorium_days: days } = body;
  if (outcome === 'approve' && rate === undefined) return refuse('missing_field', { field: '/rate' });
  // What the outcome gives no meaning is refused: a moratorium that bars nothing would be believed.
  const idle = outcome === 'approve' ? { moratorium_days: days } : { rate, principal_max: principalMax };
  for (const [name, value] of Object.entries(idle)) {
    if (value !== undefined) return refuse('invalid_field', { field: `/${name}`, bound: `absent beside ${outcome}` });
  }
  const reading = new Reading();
  const stated: StatedResolution = {
    ...(rate === undefined ? {} : { rate: readRate(reading, rate) }),
    ...(principalMax === undefined ? {} : { principalMax: readMoney(reading, principalMax, '/principal_max') }),
    ...(days === undefined ? {} : { moratoriumDays: readMoratoriumDays(reading, days, '/moratorium_days') }),
  };
  if (reading.first !== undefined) return refuse('invalid_field', reading.first);
  if (stated.rate !== undefined && rateOfRatio(stated.rate) === undefined) {
    const observed = `${stated.rate.numerator}/${stated.rate.denominator}`;
    return refuse('rate_without_decimal', { field: '/rate', bound: decimalRateForm, observed });
  }
  return stated;
}
