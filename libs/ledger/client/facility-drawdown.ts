/** Issuing a Loan under a facility, and what the Loans of a Client's book have drawn on each facility. */

import {
  checkDrawdown,
  checkFacility,
  drawnAmount,
  type FacilityUseAnswer,
  facilityAnswer,
  facilityUseAnswer,
  headroomOf,
  type LoanUnderFacility,
} from '#libs/credit/drawdown.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { minorOf, moneyJson, rateOfFraction } from '#libs/credit/numbers.ts';
import { statedIssuance } from '#libs/ledger/answers/loan.ts';
import { unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { type CreditRecord, facilitiesOf, findFacility } from '#libs/ledger/client/credit-records.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/loan-state.ts';
import { type Minor, ZERO } from '#libs/money/minor.ts';
import type { Rate } from '#libs/money/rate.ts';
import type { OfferedTerms } from '#libs/product/product.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The facility that an issuance names, once it passed the first facility check. Undefined where it names none. */
export function facilityToDrawOn(
  book: ClientBook,
  issuance: { readonly facility_id?: string; readonly configuration_id: string },
  facilityOfOtherClient: Facility | null,
): Facility | Refusal | undefined {
  const { facility_id: facilityId, configuration_id: configurationId } = issuance;
  if (facilityId === undefined) return undefined;
  // Another Client's facility is in another book. Ingress looked it up, so that it is not refused as unknown.
  const facility = findFacility(book.credit, facilityId)?.recorded ?? facilityOfOtherClient ?? undefined;
  const request = { facilityId, clientId: book.clientId, configurationId };
  return checkFacility(facility, facilitiesOf(book.credit), request) ?? facility;
}

/** The product's offer, limited to the approved terms and to the facility's rate. */
export function limitOfferToFacility(offer: OfferedTerms, facility: Facility): OfferedTerms {
  const rate = facilityRate(facility);
  return {
    ...offer,
    terms: offer.terms.filter((term) => facility.terms.includes(term)),
    // If the rate is outside the product's range, the resulting range is empty.
    rateMin: offer.rateMin > rate ? offer.rateMin : rate,
    rateMax: offer.rateMax < rate ? offer.rateMax : rate,
  };
}

/** The stated terms, with the facility's rate if they state none. */
export function withFacilityRate<Terms extends { readonly rate?: string }>(terms: Terms, facility: Facility): Terms {
  return { rate: facility.rate.percent, ...terms };
}

function facilityRate(facility: Facility): Rate {
  const rate = rateOfFraction(facility.rate);
  if (rate === undefined)
    throw new Error(`the rate of facility ${facility.id} has no exact decimal; approvals have one`);
  return rate;
}

/** The last facility check of an issuance. */
export function checkWindowAndHeadroom(book: ClientBook, facility: Facility, terms: LoanTerms): Refusal | undefined {
  return checkDrawdown(facility, drawnOnFacility(book, facility), {
    anchor: terms.anchor,
    currency: terms.currency,
    principal: terms.principal as Minor,
    financed: (terms.principal - terms.downPayment) as Minor,
  });
}

/**
 * Checks the headroom again with the new Loan in the book. Receipts may move from older Loans to the new one, and
 * principal that they had repaid is then drawn again.
 */
export function checkNotOverdrawn(after: ClientBook, facility: Facility, { currency }: LoanTerms): Refusal | undefined {
  const headroom = headroomOf(facility, drawnOnFacility(after, facility));
  if (headroom >= ZERO) return undefined;
  const observed = moneyJson(minorOf(facility.amount) - headroom, currency);
  return refuse('facility_exhausted', { field: '/principal', bound: facility.amount, observed });
}

/** A facility in its own read. */
export function facilityWithUse(book: ClientBook, facility: CreditRecord<Facility>): FacilityUseAnswer {
  return facilityUseIn(book)(facility);
}

/** For several facilities of the book, whose Loans are visited once for all of them. */
export function facilityUseIn(book: ClientBook): (facility: CreditRecord<Facility>) => FacilityUseAnswer {
  const facilities = facilitiesOf(book.credit);
  const loans = loansUnderFacilities(book);
  return ({ recorded, at }) => {
    const drawn = drawnAmount(recorded, facilities, loans);
    return facilityUseAnswer(facilityAnswer(recorded, facilities, at), recorded, drawn);
  };
}

function drawnOnFacility(book: ClientBook, facility: Facility): Minor {
  return drawnAmount(facility, facilitiesOf(book.credit), loansUnderFacilities(book));
}

function loansUnderFacilities({ folded }: ClientBook): readonly LoanUnderFacility[] {
  return folded.loans.flatMap((record, order) => {
    const loan = folded.head.loans[order];
    const facilityId = statedIssuance(record).terms.facility_id?.toLowerCase();
    if (loan === undefined || facilityId === undefined) return [];
    return [
      {
        facilityId,
        issued: loan.terms.principal as Minor,
        unpaid: unpaidPrincipal(loan) as Minor,
        countsAsDrawn: countsAsDrawn(loan),
      },
    ];
  });
}

/** A held Loan counts. A Loan that was undone, voided or cancelled does not. */
function countsAsDrawn(loan: Loan): boolean {
  switch (stateOf(loan)) {
    case 'voided':
    case 'cancelled':
    case 'rescinded':
    case 'withdrawn':
      return false;
    default:
      return true;
  }
}
