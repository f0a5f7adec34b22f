/** Facilities: granted from an approving Decision, recorded, and superseded by a later line. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Approval, Decision } from '#libs/credit/decide.ts';
import { minorOf, type QuotedRate } from '#libs/credit/numbers.ts';
import type { Resolution } from '#libs/credit/resolution.ts';
import { account, money, object, optional, required } from '#libs/schema/objects.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { boolean, civilDay, identifier, uuid } from '#libs/schema/scalars.ts';
import { type Infer, refine } from '#libs/schema/schema.ts';

export const facilityBody = refine(
  object({
    reference: account.reference,
    client_id: required(identifier),
    decision_id: required(uuid),
    amount: required(money),
    opens_on: required(civilDay),
    expires_on: required(civilDay),
    line: optional(boolean),
    supersedes: optional(uuid),
    actor: account.actor,
    basis: account.basis,
    context: account.context,
  }),
  // Days as YYYY-MM-DD compare as text.
  ({ opens_on, expires_on }) =>
    opens_on > expires_on
      ? { code: 'invalid_field', at: '/expires_on', bound: opens_on, observed: expires_on }
      : undefined,
);
export type FacilityBody = Infer<typeof facilityBody>;

/** A facility as recorded. It copies what the Decision approved, so that drawing on it needs no other record. */
export type Facility = FacilityBody & {
  readonly id: string;
  readonly configuration_id: string;
  readonly decided_version: number;
  readonly rate: QuotedRate;
  readonly terms: readonly number[];
  readonly line: boolean;
};

export type GrantContext = {
  readonly id: string;
  /** The Decision that the body names and its resolution, where they are recorded. */
  readonly decision?: Decision | undefined;
  readonly resolution?: Resolution | undefined;
  /** The Client's existing facilities. */
  readonly facilities: readonly Facility[];
  /** The longest time a facility may be open in the Tenancy's home market; undefined where there is no limit. */
  readonly maxOpenDays?: number | undefined;
};

export function grantFacility(body: FacilityBody, context: GrantContext): Facility | Refusal {
  const { decision, resolution } = context;
  // Another Client's Decision is refused like a missing one, so that the answer reveals nothing about other Clients.
  if (decision === undefined || decision.client_id !== body.client_id) {
    return refuse('not_found', { field: '/decision_id', observed: body.decision_id });
  }
  const approval = approvalInForce(decision, resolution);
  if (approval === undefined) return refuseNotApproved(decision, resolution);
  return (
    checkApprovedTerms(body, decision, approval) ??
    checkWindow(body, context.maxOpenDays) ??
    checkSupersession(body, decision, context.facilities) ?? {
      id: context.id,
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

/** What the policy or the resolution approved. A trial is not binding and approves nothing. */
export function approvalInForce(decision: Decision, resolution?: Resolution): Approval | undefined {
  if (!decision.binding) return undefined;
  const { terms, rate, principal_max: principalMax } = decision.outcome === 'refer' ? (resolution ?? {}) : decision;
  if (terms === undefined || rate === undefined || principalMax === undefined) return undefined;
  return { terms, rate, principal_max: principalMax };
}

function refuseNotApproved(decision: Decision, resolution: Resolution | undefined): Refusal {
  return refuse('decision_not_approving', {
    recorded_id: decision.id,
    bound: 'a binding approval',
    observed: decision.binding ? (resolution?.outcome ?? decision.outcome) : 'a trial',
  });
}

function checkApprovedTerms(
  body: FacilityBody,
  decision: Decision,
  { principal_max: max }: Approval,
): Refusal | undefined {
  // Only a limit decision sets how much may be drawn at once. An ordinary one approved a single purchase.
  if (body.line === true && decision.ceiling === undefined) {
    return refuse('invalid_application', { field: '/line', bound: 'a Decision with limit', observed: true });
  }
  const { amount } = body;
  if (amount.currency !== max.currency) {
    const field = '/amount/currency';
    return refuse('currency_mismatch', { field, bound: max.currency, observed: amount.currency });
  }
  if (minorOf(amount) > minorOf(max)) {
    return refuse('amount_above_decision', { field: '/amount', bound: max, observed: amount });
  }
  return undefined;
}

/** A facility is open on its first and its last day, so both are counted. */
function checkWindow(body: FacilityBody, maxOpenDays: number | undefined): Refusal | undefined {
  const days = dayOf(body.expires_on) - dayOf(body.opens_on) + 1;
  if (maxOpenDays === undefined || days <= maxOpenDays) return undefined;
  return refuse('outside_window_bound', { field: '/expires_on', bound: maxOpenDays, observed: days });
}

function checkSupersession(
  body: FacilityBody,
  decision: Decision,
  facilities: readonly Facility[],
): Refusal | undefined {
  const { supersedes } = body;
  if (supersedes === undefined) return undefined;
  const refuseAs = (bound: string) => refuse('cannot_supersede', { field: '/supersedes', bound, observed: supersedes });
  const old = facilities.find(({ id }) => id === supersedes);
  if (body.line !== true) return refuseAs('only a line supersedes');
  if (old === undefined || old.client_id !== body.client_id) return refuseAs('a line of this Client');
  if (!old.line) return refuseAs('a line');
  if (old.configuration_id !== decision.configuration_id) return refuseAs('a line of this configuration');
  // Drawdowns under the old line will count in the new one, and amounts in two currencies cannot be added.
  if (old.amount.currency !== body.amount.currency) return refuseAs('a line in this currency');
  if (supersederOf(facilities, old.id) !== undefined) return refuseAs('a line that nothing supersedes');
  return undefined;
}

export function supersederOf(facilities: readonly Facility[], id: string): Facility | undefined {
  return facilities.find(({ supersedes }) => supersedes === id);
}
