import { type CivilDay, dayOf } from '#libs/calendar/civil-day.ts';
import type { Approval, Decision } from '#libs/credit/decide.ts';
import { type Money, minorOf } from '#libs/credit/money.ts';
import type { QuotedRate } from '#libs/credit/ratio.ts';
import type { Resolution } from '#libs/credit/resolution.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A facility as its body asks for it. */
export type FacilityBody = {
  readonly reference: string;
  readonly client_id: string;
  readonly decision_id: string;
  readonly amount: Money;
  readonly opens_on: string;
  readonly expires_on: string;
  readonly line?: boolean;
  readonly supersedes?: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
};

/** As recorded: what the Decision approved is copied, so that drawing on it reads nothing else. */
export type Facility = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly configuration_id: string;
  readonly decided_version: number;
  readonly decision_id: string;
  readonly amount: Money;
  readonly rate: QuotedRate;
  readonly terms: readonly number[];
  readonly opens_on: string;
  readonly expires_on: string;
  readonly line: boolean;
  readonly supersedes?: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
};

export type Granting = {
  readonly id: string;
  /** The Decision named, where it is recorded, and the resolution it has. */
  readonly decision?: Decision | undefined;
  readonly resolution?: Resolution | undefined;
  /** The Client's facilities so far. */
  readonly facilities: readonly Facility[];
  /** The longest a facility may be open in the Tenancy's home market, in days; absent means no bound. */
  readonly windowDays?: number | undefined;
};

export function grant(body: FacilityBody, granting: Granting): Facility | Refusal {
  const { decision, resolution } = granting;
  const [opensOn, expiresOn] = [dayOf(body.opens_on), dayOf(body.expires_on)];
  if (opensOn > expiresOn) {
    return refuse('invalid_field', { field: '/expires_on', bound: body.opens_on, observed: body.expires_on });
  }
  // Another Client's Decision is as absent as one never made: the answer tells nothing about other Clients.
  if (decision === undefined || decision.client_id !== body.client_id) {
    return refuse('not_found', { field: '/decision_id', observed: body.decision_id });
  }
  const approval = standingApproval(decision, resolution);
  if (approval === undefined) return notApproving(decision, resolution);
  return (
    refuseTerms(body, decision, approval) ??
    refuseWindow(opensOn, expiresOn, granting.windowDays) ??
    refuseSupersession(body, decision, granting.facilities) ?? {
      id: granting.id,
      reference: body.reference,
      client_id: body.client_id,
      configuration_id: decision.configuration_id,
      decided_version: decision.configuration_version,
      decision_id: decision.id,
      amount: body.amount,
      rate: approval.rate,
      terms: approval.terms,
      opens_on: body.opens_on,
      expires_on: body.expires_on,
      line: body.line === true,
      ...(body.supersedes === undefined ? {} : { supersedes: body.supersedes }),
      actor: body.actor,
      basis: body.basis,
      ...(body.context === undefined ? {} : { context: body.context }),
    }
  );
}

/** What the policy approved, or the person who resolved its `refer`. A trial binds nobody, so it approves nothing. */
export function standingApproval(decision: Decision, resolution?: Resolution): Approval | undefined {
  if (!decision.binding) return undefined;
  const { terms, rate, principal_max: principalMax } = decision.outcome === 'refer' ? (resolution ?? {}) : decision;
  if (terms === undefined || rate === undefined || principalMax === undefined) return undefined;
  return { terms, rate, principal_max: principalMax };
}

function notApproving(decision: Decision, resolution: Resolution | undefined): Refusal {
  return refuse('decision_not_approving', {
    recorded_id: decision.id,
    bound: 'a binding approval',
    observed: decision.binding ? (resolution?.outcome ?? decision.outcome) : 'a trial',
  });
}

function refuseTerms(body: FacilityBody, decision: Decision, { principal_max: most }: Approval): Refusal | undefined {
  // Only a limit decision says how much may stand at once; an ordinary one approved a purchase.
  if (body.line === true && decision.ceiling === undefined) {
    return refuse('invalid_application', { field: '/line', bound: 'a Decision with limit', observed: true });
  }
  const { amount } = body;
  if (amount.currency !== most.currency) {
    const field = '/amount/currency';
    return refuse('currency_mismatch', { field, bound: most.currency, observed: amount.currency });
  }
  if (minorOf(amount) > minorOf(most)) {
    return refuse('amount_above_decision', { field: '/amount', bound: most, observed: amount });
  }
  return undefined;
}

/** A facility is open on its first day and on its last: days are counted at both ends. */
function refuseWindow(opensOn: CivilDay, expiresOn: CivilDay, windowDays: number | undefined): Refusal | undefined {
  const days = expiresOn - opensOn + 1;
  if (windowDays === undefined || days <= windowDays) return undefined;
  return refuse('outside_window_bound', { field: '/expires_on', bound: windowDays, observed: days });
}

function refuseSupersession(
  body: FacilityBody,
  decision: Decision,
  facilities: readonly Facility[],
): Refusal | undefined {
  const named = body.supersedes;
  if (named === undefined) return undefined;
  const cannot = (bound: string) => refuse('cannot_supersede', { field: '/supersedes', bound, observed: named });
  const old = facilities.find(({ id }) => id === named);
  if (body.line !== true) return cannot('only a line supersedes');
  if (old === undefined || old.client_id !== body.client_id) return cannot('a line of this Client');
  if (!old.line) return cannot('a line');
  if (old.configuration_id !== decision.configuration_id) return cannot('a line of this configuration');
  // What is drawn under the old one will count in the new one, and nothing is summed across currencies.
  if (old.amount.currency !== body.amount.currency) return cannot('a line in this currency');
  if (supersederOf(facilities, old.id) !== undefined) return cannot('a line that nothing supersedes');
  return undefined;
}

export function supersederOf(facilities: readonly Facility[], id: string): Facility | undefined {
  return facilities.find(({ supersedes }) => supersedes === id);
}
