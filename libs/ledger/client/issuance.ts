/** Decides the registration of a Client, the issuance of a Loan, and its preview. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { disclosureFigure, issuedPeriods, loanAnswer, regimeOf } from '#libs/ledger/answers/loan.ts';
import type { NewFact, Submission } from '#libs/ledger/book-decider.ts';
import {
  admitToBook,
  type ClientOperation,
  type DecisionContext,
  mintedId,
  type ResolvedConfiguration,
} from '#libs/ledger/client/admission.ts';
import { type ClientBook, requireLoanOrder } from '#libs/ledger/client/client-book.ts';
import { checkClientGuards } from '#libs/ledger/client/client-guards.ts';
import {
  checkNotOverdrawn,
  checkWindowAndHeadroom,
  facilityToDrawOn,
  limitOfferToFacility,
  withFacilityRate,
} from '#libs/ledger/client/facility-drawdown.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { checkOffered, checkTax, issueLoan, type PlannedLoan, type StatedLoan } from '#libs/ledger/issuance.ts';
import {
  type ClientBody,
  clientBody,
  type IssuanceBody,
  issuanceBody,
  type PreviewBody,
  previewBody,
  type StatedTerms,
} from '#libs/ledger/request-bodies.ts';
import type { StoredIssuance } from '#libs/ledger/stored-facts.ts';
import { storePlan, storeTerms } from '#libs/ledger/stored-terms.ts';
import { formatRate, rateOf } from '#libs/money/rate.ts';
import { checkMarketLimits } from '#libs/product/market-limits.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { type OfferedTerms, offeredTermsOf, productOf } from '#libs/product/product.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import { canonicalJson } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** Registering again with the same body records nothing. */
const registerClient: ClientOperation<ClientBody> = {
  body: clientBody,
  decide(book, { body }, { at }) {
    const { registration } = book;
    if (registration !== undefined) {
      if (canonicalJson(registration.stated) !== canonicalJson(body)) {
        return refuse('client_registered', { recorded_id: book.clientId });
      }
      return { facts: [], book, answer: () => ({ status: 200, body: JSON.stringify(clientAnswer(book)) }) };
    }
    const after: ClientBook = {
      ...book,
      sequence: book.sequence + 1,
      registration: { at: formatMoment(at), stated: body },
    };
    const row = JSON.stringify({ client_id: book.clientId, ...body });
    const fact: NewFact = {
      kind: 'registered',
      body: JSON.stringify(body),
      counts: false,
      listed: { listing: 'clients', id: book.clientId, row },
    };
    return {
      facts: [fact],
      book: after,
      answer: () => ({ status: 201, body: JSON.stringify(clientAnswer(after)) }),
    };
  },
};

export function clientAnswer({ clientId, tenantId, registration }: ClientBook) {
  if (registration === undefined) throw new Error(`Client ${clientId} of Tenancy ${tenantId} is not registered`);
  return { client_id: clientId, tenant_id: tenantId, created_at: registration.at, ...registration.stated };
}

/** Looked up at ingress. The facility may belong to another Client. */
type ResolvedIssuance = {
  readonly configuration: ResolvedConfiguration | null;
  readonly facility: Facility | null;
};

type IssuanceSubmission = Submission<PreviewBody, ResolvedIssuance>;

type CheckedIssuance = PlannedLoan & { readonly facility?: Facility };

/** Runs every check of an issuance in order. */
function checkIssuance(
  book: ClientBook,
  { body: issuance, resolved: { configuration, facility: resolvedFacility } }: IssuanceSubmission,
  { markets, calendars }: DecisionContext,
): CheckedIssuance | Refusal {
  if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
  if (configuration === null) return refuse('no_configuration', { field: '/configuration_version' });
  const facility = facilityToDrawOn(book, issuance, resolvedFacility);
  if (isRefusal(facility)) return facility;
  const offer = offeredTermsOf(configuration.archetype, configuration.values);
  const loan =
    facility === undefined
      ? planLoan(issuance, { ...configuration, offer }, markets)
      : planLoan(
          withFacilityRate(issuance, facility),
          { ...configuration, offer: limitOfferToFacility(offer, facility) },
          markets,
        );
  if (isRefusal(loan)) return loan;
  const refusal = checkClientGuards(book, loan.terms, offer.guards, calendars);
  if (refusal !== undefined || facility === undefined) return refusal ?? loan;
  return checkWindowAndHeadroom(book, facility, loan.terms) ?? { ...loan, facility };
}

export type ProductVersion = ResolvedConfiguration & { readonly offer: OfferedTerms };

/** The Loan that the stated terms and the product make, by every check that needs no book. */
export function planLoan(
  body: StatedTerms,
  { archetype, values, offer }: ProductVersion,
  markets: Markets,
): PlannedLoan | Refusal {
  const stated = parseTerms(body);
  const offered = checkDownPaymentCurrency(body) ?? checkOffered(stated, offer);
  if (offered !== undefined) return offered;
  const market = markets.get(stated.jurisdiction);
  if (market === undefined) {
    return refuse('not_found', { field: '/jurisdiction', bound: [...markets.keys()], observed: stated.jurisdiction });
  }
  const lawful = checkTax(stated, market) ?? checkMarketLimits(values, market);
  return lawful ?? issueLoan(stated, productOf(archetype, values, market), market);
}

function checkDownPaymentCurrency({ principal, down_payment: down }: StatedTerms): Refusal | undefined {
  if (down === undefined || down.currency === principal.currency) return undefined;
  return refuse('currency_mismatch', {
    field: '/down_payment/currency',
    bound: principal.currency,
    observed: down.currency,
  });
}

function parseTerms(body: StatedTerms): StatedLoan {
  const { principal, rate, penalty_rate: penaltyRate, down_payment: down, schedule, hold_until: holdUntil } = body;
  if (rate === undefined) throw new Error('an issuance states no rate and names no facility');
  return {
    principal: BigInt(principal.minor_units),
    currency: principal.currency,
    termPeriods: body.term_periods,
    rate: rateOf(rate),
    ...(penaltyRate === undefined ? {} : { penaltyRate: rateOf(penaltyRate) }),
    anchor: dayOf(body.anchor),
    jurisdiction: body.jurisdiction,
    tax: { rate: rateOf(body.tax.rate), on: body.tax.on },
    ...(down === undefined ? {} : { downPayment: BigInt(down.minor_units) }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(holdUntil === undefined ? {} : { holdUntil: dayOf(holdUntil) }),
  };
}

/** The stated terms as answers repeat them, with the rates that the caller left to the product filled in. */
function echoTerms(stated: StatedTerms, { rate, penaltyRate }: LoanTerms): StatedTerms {
  return { rate: formatRate(rate), penalty_rate: formatRate(penaltyRate), ...stated };
}

/** Admits the Loan to the book. A preview takes the same path and drops the result. */
function issueInBook(book: ClientBook, submission: IssuanceSubmission, context: DecisionContext) {
  const checked = checkIssuance(book, submission, context);
  if (isRefusal(checked)) return checked;
  const { facility, ...loan } = checked;
  const { reference: statedReference, configuration_id, configuration_version, ...body } = submission.body;
  const reference = String(statedReference);
  const configuration = { id: configuration_id, version: configuration_version };
  const terms = echoTerms(body, loan.terms);
  const stated = { ...terms, reference };
  const [loanId, event] = [mintedId(submission, 0), mintedId(submission, 1)];
  const fact: Issuance = { type: 'issuance', event, loanId, reference, ...loan };
  const issued: StoredIssuance = {
    loan_id: loanId,
    event_id: event,
    reference,
    configuration,
    stated,
    terms: storeTerms(loan.terms),
    plan: storePlan(loan.plan),
    disclosure: loan.disclosure,
  };
  const stored = { kind: 'issued', body: JSON.stringify(issued) };
  const added = admitToBook(book, { fact, statement: { configuration, terms: stated } }, stored, context);
  if (isRefusal(added)) return added;
  const overdrawn = facility && checkNotOverdrawn(added.after, facility, loan.terms);
  return overdrawn ?? { fact, configuration, terms, stored, after: added.after };
}

const issueLoanToClient: ClientOperation<IssuanceBody, ResolvedIssuance> = {
  body: issuanceBody,
  decide(book, submission, context) {
    const issuance = issueInBook(book, submission, context);
    if (isRefusal(issuance)) return issuance;
    const { fact, configuration, terms, stored, after } = issuance;
    const { loanId, event, reference } = fact;
    const merchantRef = terms.merchant_ref === undefined ? {} : { merchantRef: terms.merchant_ref };
    const order = requireLoanOrder(after, loanId);
    const newFact: NewFact = {
      ...stored,
      counts: true,
      occurredOn: fact.terms.anchor,
      loanId,
      eventId: event,
      ...merchantRef,
      loan: {
        loanId,
        clientId: book.clientId,
        reference,
        configurationId: configuration.id,
        configurationVersion: configuration.version,
        ...merchantRef,
        state: fact.terms.holdUntil === undefined ? 'active' : 'held',
      },
    };
    return {
      facts: [newFact],
      book: after,
      subject: loanId,
      answer: () => ({ status: 201, body: JSON.stringify(loanAnswer(after.folded, order, book.tenantId)) }),
    };
  },
};

/** Refuses everything that an issuance refuses, and records nothing. */
const previewLoan: ClientOperation<PreviewBody, ResolvedIssuance> = {
  body: previewBody,
  decide(book, submission, context) {
    const issuance = issueInBook(book, submission, context);
    if (isRefusal(issuance)) return issuance;
    const { fact, configuration, terms } = issuance;
    const preview = {
      configuration,
      terms,
      periods: issuedPeriods(fact.plan.periods, fact.terms.currency),
      disclosure: disclosureFigure(fact.disclosure),
      regime: regimeOf(fact.terms),
    };
    return { facts: [], book, answer: () => ({ status: 200, body: JSON.stringify(preview) }) };
  },
};

/** By operation. */
export const issuanceOperations = { registerClient, issueLoan: issueLoanToClient, previewLoan };
