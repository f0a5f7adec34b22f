import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { type Facility, supersederOf } from '#libs/credit/facility.ts';
import { type Money, minorOf, moneyOf } from '#libs/credit/money.ts';
import { type Minor, ZERO } from '#libs/money/minor.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A Loan issued under a facility, as far as the facility cares. */
export type LoanUnderFacility = {
  readonly facilityId: string;
  /** The principal it was issued for. */
  readonly issued: Minor;
  /** The principal still unpaid of it. */
  readonly unpaid: Minor;
  /** False once it is undone, voided or cancelled. A held Loan stands. */
  readonly stands: boolean;
};

/** What is taken: on a line what is out now, so that repayment refills it; otherwise all that was ever issued. */
export function drawnUnder(
  facility: Facility,
  facilities: readonly Facility[],
  loans: readonly LoanUnderFacility[],
): Minor {
  const lineage = lineageOf(facility, facilities);
  let drawn: bigint = ZERO;
  for (const { facilityId, issued, unpaid, stands } of loans) {
    if (stands && lineage.has(facilityId)) drawn += facility.line ? unpaid : issued;
  }
  return drawn as Minor;
}

/** Below zero where more is out than the amount: a renewal for less, a Receipt reversed. Nothing is drawn until it is refilled. */
export function headroomOf(facility: Facility, drawn: Minor): Minor {
  return (minorOf(facility.amount) - drawn) as Minor;
}

/** A line and all those it took over from: their standing Loans count in it. */
function lineageOf(facility: Facility, facilities: readonly Facility[]): ReadonlySet<string> {
  const lineage = new Set([facility.id]);
  for (let older = facility.supersedes; older !== undefined; ) {
    const superseded = older;
    lineage.add(superseded);
    older = facilities.find(({ id }) => id === superseded)?.supersedes;
  }
  return lineage;
}

/** The first of issuance's checks of a facility: that it is there, this Client's, in force, and covers the product. */
export function refuseFacility(
  facility: Facility | undefined,
  facilities: readonly Facility[],
  issuance: { readonly facilityId: string; readonly clientId: string; readonly configurationId: string },
): Refusal | undefined {
  const field = '/facility_id';
  const { facilityId, clientId, configurationId } = issuance;
  if (facility === undefined) return refuse('not_found', { field, observed: facilityId });
  // Whose it is, is told to nobody else.
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

export type Drawing = {
  readonly anchor: CivilDay;
  readonly currency: string;
  /** The principal issued, and what of it the borrower will owe once a down payment is in. */
  readonly principal: Minor;
  readonly financed: Minor;
};

/** The last of issuance's checks of a facility: its days, then its headroom. */
export function refuseDrawing(facility: Facility, drawn: Minor, drawing: Drawing): Refusal | undefined {
  const { anchor, currency, principal, financed } = drawing;
  if (anchor < dayOf(facility.opens_on) || dayOf(facility.expires_on) < anchor) {
    return refuse('outside_facility_window', {
      field: '/anchor',
      bound: [facility.opens_on, facility.expires_on],
      observed: formatDay(anchor),
    });
  }
  const { currency: kept } = facility.amount;
  if (currency !== kept) {
    return refuse('currency_mismatch', { field: '/principal/currency', bound: kept, observed: currency });
  }
  // What is checked is what it will count as, so that no draw admitted alone can exceed the amount.
  const taken = facility.line ? financed : principal;
  const headroom = headroomOf(facility, drawn);
  if (taken <= headroom) return undefined;
  return refuse('facility_exhausted', {
    field: '/principal',
    bound: moneyOf(headroom, kept),
    observed: moneyOf(taken, kept),
  });
}

export type FacilityAnswer = Facility & { readonly superseded_by?: string; readonly created_at: string };

/** As the list answers it. */
export function facilityAnswer(facility: Facility, facilities: readonly Facility[], createdAt: string): FacilityAnswer {
  const newer = supersederOf(facilities, facility.id);
  return { ...facility, ...(newer === undefined ? {} : { superseded_by: newer.id }), created_at: createdAt };
}

export type DrawnAnswer = FacilityAnswer & { readonly drawn: Money; readonly headroom: Money };

/** As the single read and the Client's book answer it. */
export function drawnAnswer(answer: FacilityAnswer, facility: Facility, drawn: Minor): DrawnAnswer {
  const { currency } = facility.amount;
  return { ...answer, drawn: moneyOf(drawn, currency), headroom: moneyOf(headroomOf(facility, drawn), currency) };
}
