/** Issuing under a facility, and what the Loans of a Client's book take of its facilities. */

import {
  type DrawnAnswer,
  drawnAnswer,
  drawnUnder,
  facilityAnswer,
  headroomOf,
  type LoanUnderFacility,
  refuseDrawing,
  refuseFacility,
} from '#libs/credit/drawdown.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { minorOf, moneyOf } from '#libs/credit/money.ts';
import { rateOfRatio } from '#libs/credit/ratio.ts';
import { unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { type Dated, facilitiesOf, facilityNamed } from '#libs/ledger/client/credit.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/state.ts';
import { type Minor, ZERO } from '#libs/money/minor.ts';
import type { Rate } from '#libs/money/rate.ts';
import type { Offer } from '#libs/product/product.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The facility a body names, by the first of issuance's checks of it; undefined where it names none. */
export function namedFacility(
  book: ClientBook,
  body: JsonObject,
  elsewhere: Facility | null,
): Facility | Refusal | undefined {
  const named = body['facility_id'] as string | undefined;
  if (named === undefined) return undefined;
  // Another Client's stands in another book: that it is there at all was looked up where the request came in.
  const facility = facilityNamed(book.credit, named)?.recorded ?? elsewhere ?? undefined;
  const configurationId = body['configuration_id'] as string;
  const issuance = { facilityId: named, clientId: book.clientId, configurationId };
  return refuseFacility(facility, facilitiesOf(book.credit), issuance) ?? facility;
}

/** What the product offers under a facility: the terms that were approved, and no other rate than the facility's. */
export function offerUnder(offer: Offer, facility: Facility): Offer {
  const rate = rateOf(facility);
  return {
    ...offer,
    terms: offer.terms.filter((term) => facility.terms.includes(term)),
    // A rate outside the product's own corridor leaves none at all.
    rateMin: offer.rateMin > rate ? offer.rateMin : rate,
    rateMax: offer.rateMax < rate ? offer.rateMax : rate,
  };
}

/** The stated Loan, at the facility's rate where it states none. */
export function atItsRate(body: JsonObject, facility: Facility): JsonObject {
  return { rate: facility.rate.percent as string, ...body };
}

function rateOf(facility: Facility): Rate {
  const rate = rateOfRatio(facility.rate);
  if (rate === undefined) throw new Error('a facility stands on a binding approval, whose rate has a decimal');
  return rate;
}

/** The last of issuance's checks of a facility: its window and its headroom. */
export function checkDrawing(book: ClientBook, facility: Facility, terms: LoanTerms): Refusal | undefined {
  return refuseDrawing(facility, drawnOf(book, facility), {
    anchor: terms.anchor,
    currency: terms.currency,
    principal: terms.principal as Minor,
    financed: (terms.principal - terms.downPayment) as Minor,
  });
}

export function drawnOf(book: ClientBook, facility: Facility): Minor {
  return drawnUnder(facility, facilitiesOf(book.credit), loansUnderFacilities(book));
}

/**
 * Money that lay on older Loans may move to the new one, and what it had repaid of theirs is out again: the line is held
 * to its amount with the Loan in it.
 */
export function checkDrawn(after: ClientBook, facility: Facility, { currency }: LoanTerms): Refusal | undefined {
  const headroom = headroomOf(facility, drawnOf(after, facility));
  if (headroom >= ZERO) return undefined;
  const observed = moneyOf(minorOf(facility.amount) - headroom, currency);
  return refuse('facility_exhausted', { field: '/principal', bound: facility.amount, observed });
}

/** A facility as its own read and the Client's book answer it. */
export function facilityWithDrawn(book: ClientBook, { recorded, at }: Dated<Facility>): DrawnAnswer {
  const answer = facilityAnswer(recorded, facilitiesOf(book.credit), at);
  return drawnAnswer(answer, recorded, drawnOf(book, recorded));
}

function loansUnderFacilities({ folded }: ClientBook): readonly LoanUnderFacility[] {
  return folded.head.loans.flatMap((loan, order) => {
    const told = folded.loans[order]?.recorded.told as { terms?: { facility_id?: string } } | undefined;
    const facilityId = told?.terms?.facility_id?.toLowerCase();
    if (loan === undefined || facilityId === undefined) return [];
    return [
      {
        facilityId,
        issued: loan.terms.principal as Minor,
        unpaid: unpaidPrincipal(loan) as Minor,
        stands: stands(loan),
      },
    ];
  });
}

/** A held Loan draws; one that was undone or cancelled never does. */
function stands(loan: Loan): boolean {
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
