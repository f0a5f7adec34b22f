/** Drawing on a facility: what is drawn, what is left, and the checks of an issuance that names a facility. */

import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { type Facility, supersederOf } from '#libs/credit/facility.ts';
import { minorOf, moneyJson } from '#libs/credit/numbers.ts';
import { type Minor, ZERO } from '#libs/money/minor.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** What a facility needs to know of a Loan that was issued under it. */
export type LoanUnderFacility = {
  readonly facilityId: string;
  /** The principal at issuance. */
  readonly issued: Minor;
  /** The principal that is still unpaid. */
  readonly unpaid: Minor;
  /** False once the Loan is undone, voided or cancelled. True for a held Loan. */
  readonly countsAsDrawn: boolean;
};

/** On a line the unpaid principal, so that repayment frees it again. On another facility everything ever issued. */
export function drawnAmount(
  facility: Facility,
  facilities: readonly Facility[],
  loans: readonly LoanUnderFacility[],
): Minor {
  const facilityIds = lineAndSuperseded(facility, facilities);
  let drawn: bigint = ZERO;
  for (const { facilityId, issued, unpaid, countsAsDrawn } of loans) {
    if (countsAsDrawn && facilityIds.has(facilityId)) drawn += facility.line ? unpaid : issued;
  }
  return drawn as Minor;
}

/** Negative where more is drawn than the amount, for example after a renewal for less or a reversed Receipt. */
export function headroomOf(facility: Facility, drawn: Minor): Minor {
  return (minorOf(facility.amount) - drawn) as Minor;
}

/** The ids of the facility and of every line it superseded. Loans under those count in it. */
function lineAndSuperseded(facility: Facility, facilities: readonly Facility[]): ReadonlySet<string> {
  const ids = new Set([facility.id]);
  for (let older = facility.supersedes; older !== undefined; ) {
    const superseded = older;
    ids.add(superseded);
    older = facilities.find(({ id }) => id === superseded)?.supersedes;
  }
  return ids;
}

/** The first facility check of an issuance: it exists, is this Client's, is in force, and covers the product. */
export function checkFacility(
  facility: Facility | undefined,
  facilities: readonly Facility[],
  issuance: { readonly facilityId: string; readonly clientId: string; readonly configurationId: string },
): Refusal | undefined {
  const field = '/facility_id';
  const { facilityId, clientId, configurationId } = issuance;
  if (facility === undefined) return refuse('not_found', { field, observed: facilityId });
  // The refusal does not name the other Client.
  if (facility.client_id !== clientId) {
    return refuse('facility_other_client', { field, bound: clientId, observed: facilityId });
  }
  const newer = supersederOf(facilities, facility.id);
  if (newer !== undefined) return refuse('facility_superseded', { field, bound: newer.id, observed: facilityId });
  if (facility.configuration_id !== configurationId) {
    const bound = facility.configuration_id;
    return refuse('facility_other_configuration', { field, bound, observed: configurationId });
  }
  return undefined;
}

export type Drawdown = {
  readonly anchor: CivilDay;
  readonly currency: string;
  /** The principal issued. */
  readonly principal: Minor;
  /** The part of the principal that remains owed after the down payment. */
  readonly financed: Minor;
};

/** The last facility check of an issuance: its days, then its headroom. */
export function checkDrawdown(facility: Facility, drawn: Minor, drawdown: Drawdown): Refusal | undefined {
  const { anchor, currency, principal, financed } = drawdown;
  if (anchor < dayOf(facility.opens_on) || dayOf(facility.expires_on) < anchor) {
    return refuse('outside_facility_window', {
      field: '/anchor',
      bound: [facility.opens_on, facility.expires_on],
      observed: formatDay(anchor),
    });
  }
  const { currency: facilityCurrency } = facility.amount;
  if (currency !== facilityCurrency) {
    return refuse('currency_mismatch', { field: '/principal/currency', bound: facilityCurrency, observed: currency });
  }
  // The same figure that `drawnAmount` will count, so that a single drawdown cannot exceed the amount.
  const counted = facility.line ? financed : principal;
  const headroom = headroomOf(facility, drawn);
  if (counted <= headroom) return undefined;
  return refuse('facility_exhausted', {
    field: '/principal',
    bound: moneyJson(headroom, facilityCurrency),
    observed: moneyJson(counted, facilityCurrency),
  });
}

export type FacilityAnswer = Facility & { readonly superseded_by?: string; readonly created_at: string };

/** A facility in a list. */
export function facilityAnswer(facility: Facility, facilities: readonly Facility[], createdAt: string): FacilityAnswer {
  const newer = supersederOf(facilities, facility.id);
  return { ...facility, ...(newer === undefined ? {} : { superseded_by: newer.id }), created_at: createdAt };
}

export type FacilityUseAnswer = FacilityAnswer & { readonly drawn: MoneyJson; readonly headroom: MoneyJson };

/** A facility in its own read and in the Client's book. */
export function facilityUseAnswer(answer: FacilityAnswer, facility: Facility, drawn: Minor): FacilityUseAnswer {
  const { currency } = facility.amount;
  return { ...answer, drawn: moneyJson(drawn, currency), headroom: moneyJson(headroomOf(facility, drawn), currency) };
}
