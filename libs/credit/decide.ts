/** Decides a credit application under a policy version, with a trace of every rule. */

import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import {
  type ApplicationBody,
  type CreditOffer,
  type Observation,
  type ObservedValue,
  observeAttributes,
  unknownObservation,
} from '#libs/credit/application.ts';
import {
  type Decimal,
  decimalOf,
  minorOf,
  type QuotedRate,
  quotedRate,
  type StatedNumber,
} from '#libs/credit/numbers.ts';
import {
  type Band,
  type Characteristic,
  type Comparison,
  contains,
  type DecisionOutcome,
  type Knockout,
  type KnockoutOutcome,
  type Policy,
} from '#libs/credit/policy.ts';
import { dayInZone } from '#libs/credit/time-zone.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

export type KnockoutTrace = {
  readonly id: string;
  readonly text: string;
  readonly attribute: string;
  readonly comparison: Comparison;
  readonly bound: StatedNumber;
  readonly observed: ObservedValue;
  readonly fired: boolean;
  readonly outcome: KnockoutOutcome;
};

/** `bin` is the index of the matching bin, from 0. It is absent where no bin contains the observed value. */
export type CharacteristicTrace = {
  readonly id: string;
  readonly attribute: string;
  readonly observed: ObservedValue;
  readonly bin?: number;
  readonly points: number;
};

export type DecisionTrace = {
  readonly knockouts: readonly KnockoutTrace[];
  readonly scorecard: readonly CharacteristicTrace[];
};

/** What may be issued under an approval. */
export type Approval = {
  readonly terms: readonly number[];
  readonly rate: QuotedRate;
  readonly principal_max: MoneyJson;
};

/** A Decision as recorded: JSON, with a copy of everything that later acts read of it. */
export type Decision = Partial<Approval> &
  Omit<ApplicationBody, 'attributes' | 'limit' | 'policy' | 'policy_version'> & {
    readonly id: string;
    readonly policy: string;
    readonly policy_version: number;
    readonly policy_digest: string;
    readonly score: number;
    readonly outcome: DecisionOutcome;
    readonly band?: string;
    readonly ceiling?: MoneyJson;
    readonly over_ceiling?: boolean;
    readonly moratorium_days?: number;
    readonly trace: DecisionTrace;
    readonly binding: boolean;
    readonly self_confirmed_version: boolean;
    readonly time_zone: string;
    readonly bound_from: string;
    /** The limits of a later approval by resolution. Not part of the answer. */
    readonly offer: CreditOffer;
  };

/** The policy version that decides, and whether its decision binds. */
export type DecidingPolicy = {
  readonly name: string;
  readonly version: number;
  readonly digest: string;
  readonly policy: Policy;
  readonly selfConfirmed: boolean;
  readonly binding: boolean;
};

export type DecisionRequest = {
  readonly id: string;
  readonly application: ApplicationBody;
  readonly deciding: DecidingPolicy;
  readonly offer: CreditOffer;
  /** The Tenancy's time zone, used where the policy states none. */
  readonly timeZone: string;
  readonly recordedAt: Moment;
};

export function decideApplication(request: DecisionRequest): Decision | Refusal {
  const { application, deciding, offer } = request;
  const observations = observeAttributes(application, deciding.policy, offer);
  if (isRefusal(observations)) return observations;
  const result = evaluatePolicy(deciding.policy, observations);
  const timeZone = deciding.policy.timeZone ?? request.timeZone;
  const boundFrom = earlier(dayOf(application.submitted_on), dayInZone(request.recordedAt, timeZone));
  const { rule, band } = result;
  return {
    id: request.id,
    reference: application.reference,
    client_id: application.client_id,
    policy: deciding.name,
    policy_version: deciding.version,
    policy_digest: deciding.digest,
    configuration_id: application.configuration_id,
    configuration_version: application.configuration_version,
    principal: application.principal,
    submitted_on: application.submitted_on,
    score: result.score,
    outcome: rule.outcome,
    ...(band === undefined ? {} : { band: band.id }),
    ...(band?.outcome === 'approve' ? approvalOf(band, offer) : {}),
    ...(application.limit === true ? creditLimitOf(band, offer, application.principal) : {}),
    ...(rule.moratoriumDays === undefined ? {} : { moratorium_days: rule.moratoriumDays }),
    trace: result.trace,
    sources: application.sources,
    binding: deciding.binding,
    self_confirmed_version: deciding.selfConfirmed,
    time_zone: timeZone,
    bound_from: formatDay(boundFrom),
    actor: application.actor,
    basis: application.basis,
    ...(application.context === undefined ? {} : { context: application.context }),
    offer,
  };
}

export type DecisionAnswer = Omit<Decision, 'offer'> & { readonly decided_at: string };

/** The answer to the deciding request and to every later read. */
export function decisionAnswer({ offer: _, ...decision }: Decision, decidedAt: string): DecisionAnswer {
  return { ...decision, decided_at: decidedAt };
}

type PolicyResult = {
  readonly trace: DecisionTrace;
  readonly score: number;
  /** The rule that settled the outcome: the first knockout that fired, otherwise the band of the score. */
  readonly rule: Knockout | Band;
  readonly band?: Band;
};

/** The scorecard is evaluated even after a knockout, so that the trace of a refusal shows both. */
function evaluatePolicy(policy: Policy, observations: ReadonlyMap<string, Observation>): PolicyResult {
  const observe = (attribute: string) => observations.get(attribute) ?? unknownObservation;
  const knockouts = policy.knockouts.map((knockout) => traceKnockout(knockout, observe(knockout.attribute)));
  const scorecard = policy.scorecard.map((characteristic) =>
    traceCharacteristic(characteristic, observe(characteristic.attribute)),
  );
  const score = scorecard.reduce((sum, { points }) => sum + points, policy.basePoints);
  const trace = { knockouts, scorecard };
  const knockout = policy.knockouts[knockouts.findIndex(({ fired }) => fired)];
  if (knockout !== undefined) return { trace, score, rule: knockout };
  const band = policy.bands.find((candidate) => contains(candidate, decimalOf(score)));
  if (band === undefined) throw new Error(`the policy has no band for score ${score}; a checked policy has one`);
  return { trace, score, rule: band, band };
}

function traceKnockout(knockout: Knockout, { observed, value }: Observation): KnockoutTrace {
  const { id, text, attribute, comparison, bound, statedBound, outcome, firesUnknown } = knockout;
  const fired = value === undefined ? firesUnknown : comparisonHolds(comparison, value, bound);
  return { id, text, attribute, comparison, bound: statedBound, observed, fired, outcome };
}

function comparisonHolds(comparison: Comparison, value: Decimal, bound: Decimal): boolean {
  switch (comparison) {
    case 'at_least':
      return value.gte(bound);
    case 'at_most':
      return value.lte(bound);
    case 'above':
      return value.gt(bound);
    case 'below':
      return value.lt(bound);
    case 'equals':
      return value.eq(bound);
  }
}

function traceCharacteristic(
  { id, attribute, bins, pointsUnknown }: Characteristic,
  { observed, value }: Observation,
): CharacteristicTrace {
  if (value === undefined) return { id, attribute, observed, points: pointsUnknown };
  const index = bins.findIndex((bin) => contains(bin, value));
  const bin = bins[index];
  // A known number in no bin earns no points. The policy's findings report such gaps.
  if (bin === undefined) return { id, attribute, observed, points: 0 };
  return { id, attribute, observed, bin: index, points: bin.points };
}

function approvalOf({ id, terms, rate, principalMax }: Band, offer: CreditOffer): Approval {
  if (rate === undefined) throw new Error(`approving band ${id} has no rate; a checked policy states one`);
  return { terms: terms ?? offer.terms, rate: quotedRate(rate), principal_max: principalMax ?? offer.principal_max };
}

function creditLimitOf(band: Band | undefined, offer: CreditOffer, principal: MoneyJson) {
  const limit = band?.principalMax ?? offer.principal_max;
  return { ceiling: limit, over_ceiling: minorOf(principal) > minorOf(limit) };
}

function earlier(a: CivilDay, b: CivilDay): CivilDay {
  return a < b ? a : b;
}
