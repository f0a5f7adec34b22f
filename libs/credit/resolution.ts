/** Resolutions: a person approves or refuses what a policy referred. */

import type { Approval, Decision } from '#libs/credit/decide.ts';
import {
  decimalRateForm,
  fractionOfPercent,
  isStatableRate,
  quotedRate,
  type RateFraction,
  rateFraction,
  rateOfFraction,
} from '#libs/credit/numbers.ts';
import { maxMoratoriumDays } from '#libs/credit/read-policy.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { type Account, account, money, object, optional, required } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { integer, oneOf, rate } from '#libs/schema/scalars.ts';
import { either, type Infer } from '#libs/schema/schema.ts';

export const resolutionBody = object({
  outcome: required(oneOf(enumerations.resolution_outcome)),
  rate: optional(either(rateFraction, rate)),
  principal_max: optional(money),
  moratorium_days: optional(integer(1, maxMoratoriumDays)),
  ...account,
});
export type ResolutionBody = Infer<typeof resolutionBody>;

/** A resolution as recorded. What an approval does not state is taken from the offer stored with the Decision. */
export type Resolution = Partial<Approval> &
  Account & {
    readonly decision_id: string;
    readonly outcome: ResolutionBody['outcome'];
    readonly moratorium_days?: number;
  };

/** The Decision named in the path and its existing resolution, where they are recorded. */
export type ResolutionContext = {
  readonly decision?: Decision | undefined;
  readonly existing?: Resolution | undefined;
};

export function resolveDecision(body: ResolutionBody, { decision, existing }: ResolutionContext): Resolution | Refusal {
  const { principal_max: principalMax, moratorium_days: moratoriumDays } = body;
  const approvedRate = checkMembers(body) ?? parseApprovedRate(body.rate);
  if (isRefusal(approvedRate)) return approvedRate;
  if (decision === undefined) return refuse('not_found');
  const { id, outcome, offer } = decision;
  if (outcome !== 'refer') return refuse('not_referred', { recorded_id: id, bound: 'refer', observed: outcome });
  if (existing !== undefined) {
    return refuse('already_resolved', { recorded_id: id, recorded_value: existing.outcome });
  }
  const { currency } = offer.principal_max;
  if (principalMax !== undefined && principalMax.currency !== currency) {
    const field = '/principal_max/currency';
    return refuse('currency_mismatch', { field, bound: currency, observed: principalMax.currency });
  }
  return {
    decision_id: id,
    outcome: body.outcome,
    ...(approvedRate === undefined
      ? {}
      : { terms: offer.terms, rate: quotedRate(approvedRate), principal_max: principalMax ?? offer.principal_max }),
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

/** A member that has no effect under the outcome is refused: the caller would believe it has one. */
function checkMembers(body: ResolutionBody): Refusal | undefined {
  const { outcome } = body;
  if (outcome === 'approve' && body.rate === undefined) return refuse('missing_field', { field: '/rate' });
  const unusable = outcome === 'approve' ? (['moratorium_days'] as const) : (['rate', 'principal_max'] as const);
  const stated = unusable.find((name) => body[name] !== undefined);
  if (stated === undefined) return undefined;
  return refuse('invalid_field', { field: `/${stated}`, bound: `absent with outcome ${outcome}` });
}

/** A rate may be stated in per cent, such as 36.5, or as a fraction of one. */
function parseApprovedRate(stated: ResolutionBody['rate']): RateFraction | Refusal | undefined {
  if (stated === undefined) return undefined;
  const field = '/rate';
  const fraction = typeof stated === 'string' ? fractionOfPercent(stated) : stated;
  if (fraction === undefined) return refuse('invalid_field', { field, bound: 'a rate above zero', observed: stated });
  const observed = `${fraction.numerator}/${fraction.denominator}`;
  if (!isStatableRate(fraction)) return refuse('invalid_field', { field, bound: 'below 1000000 per cent', observed });
  if (rateOfFraction(fraction) !== undefined) return fraction;
  return refuse('rate_without_decimal', { field, bound: decimalRateForm, observed });
}
