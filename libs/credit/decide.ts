import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import {
  type Application,
  type Observation,
  type Observed,
  type Offer,
  readApplication,
  unobserved,
} from '#libs/credit/application.ts';
import { type Decimal, decimalOf, type Stated } from '#libs/credit/decimal.ts';
import { type Money, minorOf } from '#libs/credit/money.ts';
import {
  type Band,
  type Characteristic,
  type Comparison,
  type DecisionOutcome,
  holds,
  type Knockout,
  type KnockoutOutcome,
  type Policy,
} from '#libs/credit/policy.ts';
import { type QuotedRate, quoted } from '#libs/credit/ratio.ts';
import { dayInZone } from '#libs/credit/time-zone.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

export type TracedKnockout = {
  readonly id: string;
  readonly text: string;
  readonly attribute: string;
  readonly comparison: Comparison;
  readonly bound: Stated;
  readonly observed: Observed;
  readonly fired: boolean;
  readonly outcome: KnockoutOutcome;
};

/** `bin` is the place of the bin among its characteristic's, from 0; absent where no bin holds what was observed. */
export type TracedCharacteristic = {
  readonly id: string;
  readonly attribute: string;
  readonly observed: Observed;
  readonly bin?: number;
  readonly points: number;
};

export type Trace = {
  readonly knockouts: readonly TracedKnockout[];
  readonly scorecard: readonly TracedCharacteristic[];
};

/** What may be issued under an approval. */
export type Approval = { readonly terms: readonly number[]; readonly rate: QuotedRate; readonly principal_max: Money };

/** A Decision as recorded: JSON, complete, and everything later asked of it frozen in it. */
export type Decision = Partial<Approval> & {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly policy: string;
  readonly policy_version: number;
  readonly policy_digest: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly principal: Money;
  readonly submitted_on: string;
  readonly score: number;
  readonly outcome: DecisionOutcome;
  readonly band?: string;
  readonly ceiling?: Money;
  readonly over_ceiling?: boolean;
  readonly moratorium_days?: number;
  readonly trace: Trace;
  readonly sources: readonly string[];
  readonly binding: boolean;
  readonly self_confirmed_version: boolean;
  readonly time_zone: string;
  readonly bound_from: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
  /** What the configuration version offered: a later resolution approves within it. Not answered. */
  readonly offer: Offer;
};

/** The policy version that decides, and whether what it decides binds. */
export type Deciding = {
  readonly name: string;
  readonly version: number;
  readonly digest: string;
  readonly policy: Policy;
  readonly selfConfirmed: boolean;
  readonly binding: boolean;
};

export type Submitted = {
  readonly id: string;
  readonly application: Application;
  readonly deciding: Deciding;
  readonly offer: Offer;
  /** The Tenancy's, for a policy that states none. */
  readonly timeZone: string;
  readonly recordedAt: Moment;
};

export function decide(submitted: Submitted): Decision | Refusal {
  const { application, deciding, offer } = submitted;
  const read = readApplication(application, deciding.policy, offer);
  if (isRefusal(read)) return read;
  const settled = settle(deciding.policy, read.observations);
  const timeZone = deciding.policy.timeZone ?? submitted.timeZone;
  const boundFrom = earlier(dayOf(application.submitted_on), dayInZone(submitted.recordedAt, timeZone));
  const { rule, band } = settled;
  return {
    id: submitted.id,
    reference: application.reference,
    client_id: application.client_id,
    policy: deciding.name,
    policy_version: deciding.version,
    policy_digest: deciding.digest,
    configuration_id: application.configuration_id,
    configuration_version: application.configuration_version,
    principal: application.principal,
    submitted_on: application.submitted_on,
    score: settled.score,
    outcome: rule.outcome,
    ...(band === undefined ? {} : { band: band.id }),
    ...(band?.outcome === 'approve' ? approvalOf(band, offer) : {}),
    ...(application.limit === true ? limitOf(band, offer, application.principal) : {}),
    ...(rule.moratoriumDays === undefined ? {} : { moratorium_days: rule.moratoriumDays }),
    trace: settled.trace,
    sources: read.sources,
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

/** The deciding call and every later read answer this same body. */
export function decisionAnswer({ offer: _, ...decision }: Decision, decidedAt: string): DecisionAnswer {
  return { ...decision, decided_at: decidedAt };
}

type Settled = {
  readonly trace: Trace;
  readonly score: number;
  /** What settled it: the first knockout that fired, else the band of the score. */
  readonly rule: Knockout | Band;
  readonly band?: Band;
};

/** Pure arithmetic of a policy: knockouts in order, and the scorecard in any case, so that a refusal tells both. */
function settle(policy: Policy, observations: ReadonlyMap<string, Observation>): Settled {
  const seen = (attribute: string) => observations.get(attribute) ?? unobserved;
  const knockouts = policy.knockouts.map((knockout) => tracedKnockout(knockout, seen(knockout.attribute)));
  const scorecard = policy.scorecard.map((characteristic) => scored(characteristic, seen(characteristic.attribute)));
  const score = scorecard.reduce((sum, { points }) => sum + points, policy.basePoints);
  const trace = { knockouts, scorecard };
  const knockout = policy.knockouts[knockouts.findIndex(({ fired }) => fired)];
  if (knockout !== undefined) return { trace, score, rule: knockout };
  const band = policy.bands.find((candidate) => holds(candidate, decimalOf(score)));
  if (band === undefined) throw new Error(`a checked policy has a band for every score, and none for ${score}`);
  return { trace, score, rule: band, band };
}

function tracedKnockout(knockout: Knockout, { observed, value }: Observation): TracedKnockout {
  const { id, text, attribute, comparison, bound, statedBound, outcome, firesUnknown } = knockout;
  const fired = value === undefined ? firesUnknown : compares(comparison, value, bound);
  return { id, text, attribute, comparison, bound: statedBound, observed, fired, outcome };
}

function compares(comparison: Comparison, value: Decimal, bound: Decimal): boolean {
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

function scored({ id, attribute, bins, pointsUnknown }: Characteristic, seen: Observation): TracedCharacteristic {
  const { observed, value } = seen;
  if (value === undefined) return { id, attribute, observed, points: pointsUnknown };
  const index = bins.findIndex((bin) => holds(bin, value));
  const bin = bins[index];
  // A known number that no bin holds earns nothing and costs nothing; that is a finding of the policy, not of the applicant.
  if (bin === undefined) return { id, attribute, observed, points: 0 };
  return { id, attribute, observed, bin: index, points: bin.points };
}

function approvalOf({ terms, rate, principalMax }: Band, offer: Offer): Approval {
  if (rate === undefined) throw new Error('a checked policy states the rate of every approving band');
  return { terms: terms ?? offer.terms, rate: quoted(rate), principal_max: principalMax ?? offer.principal_max };
}

function limitOf(band: Band | undefined, offer: Offer, principal: Money) {
  const most = band?.principalMax ?? offer.principal_max;
  return { ceiling: most, over_ceiling: minorOf(principal) > minorOf(most) };
}

function earlier(a: CivilDay, b: CivilDay): CivilDay {
  return a < b ? a : b;
}
