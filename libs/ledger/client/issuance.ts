/** Registration of the Client, issuance of a Loan and its preview. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { Facility } from '#libs/credit/facility.ts';
import { issuedPeriods } from '#libs/ledger/answers/issued.ts';
import { disclosureFigure, loanAnswer } from '#libs/ledger/answers/loan.ts';
import { regimeOf } from '#libs/ledger/answers/regime.ts';
import type { Submission } from '#libs/ledger/book-decider.ts';
import { type ClientBook, orderIn } from '#libs/ledger/client/client-book.ts';
import { admitted, type Decide, minted, type Setting } from '#libs/ledger/client/decision.ts';
import { atItsRate, checkDrawing, checkDrawn, namedFacility, offerUnder } from '#libs/ledger/client/drawing.ts';
import { checkGuards } from '#libs/ledger/client/guards.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { checkOffered, checkTax, type Issued, issueLoan, type StatedLoan } from '#libs/ledger/issuance.ts';
import type { StatedMoney, StoredIssuance } from '#libs/ledger/stored-facts.ts';
import { storePlan, storeTerms } from '#libs/ledger/stored-terms.ts';
import { formatRate, rateOf } from '#libs/money/rate.ts';
import { checkOutsideMarket } from '#libs/product/outside-market.ts';
import { type Offer, offerOf, productOf } from '#libs/product/product.ts';
import type { Archetype, Charge, LoanTerms } from '#libs/product/terms.ts';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

const registerClient: Decide = (book, { body }, { at }) => {
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
  return {
    facts: [
      {
        kind: 'registered',
        body: JSON.stringify(body),
        counts: false,
        listed: { listing: 'clients', id: book.clientId, row: JSON.stringify({ client_id: book.clientId, ...body }) },
      },
    ],
    book: after,
    answer: () => ({ status: 201, body: JSON.stringify(clientAnswer(after)) }),
  };
};

export function clientAnswer({ clientId, tenantId, registration }: ClientBook) {
  if (registration === undefined) throw new Error('only a registered Client is answered');
  return { client_id: clientId, tenant_id: tenantId, created_at: registration.at, ...registration.stated };
}

type Resolved = {
  readonly configuration: { readonly archetype: Archetype; readonly values: JsonObject } | null;
  /** The facility named, whoever's it is. */
  readonly facility: Facility | null;
};

type Agreed = Issued & { readonly facility?: Facility };

/** The Loan as it would be issued, by every check of issuance in their order; the Client comes first. */
function issued(book: ClientBook, { body, resolved }: Submission, setting: Setting): Agreed | Refusal {
  if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
  const { configuration, facility: elsewhere } = resolved as unknown as Resolved;
  if (configuration === null) return refuse('no_configuration', { field: '/configuration_version' });
  const facility = namedFacility(book, body, elsewhere);
  if (isRefusal(facility)) return facility;
  const offer = offerOf(configuration.archetype, configuration.values);
  const loan =
    facility === undefined
      ? agreedLoan(body, { ...configuration, offer }, setting.markets)
      : agreedLoan(
          atItsRate(body, facility),
          { ...configuration, offer: offerUnder(offer, facility) },
          setting.markets,
        );
  if (isRefusal(loan)) return loan;
  const guarded = checkGuards(book, loan.terms, offer.guards, setting.calendars);
  const refused = guarded ?? (facility && checkDrawing(book, facility, loan.terms));
  return refused ?? (facility === undefined ? loan : { ...loan, facility });
}

export type Product = { readonly archetype: Archetype; readonly values: JsonObject; readonly offer: Offer };

/** The Loan that what is stated and a product make, by every check between the two: no book is asked. */
export function agreedLoan(
  body: JsonObject,
  { archetype, values, offer }: Product,
  markets: Setting['markets'],
): Issued | Refusal {
  const stated = statedLoan(body);
  const offered = foreignDownPayment(body) ?? checkOffered(stated, offer);
  if (offered !== undefined) return offered;
  const market = markets.get(stated.jurisdiction);
  if (market === undefined) return refuse('not_found', { field: '/jurisdiction' });
  const lawful = checkTax(stated, market) ?? checkOutsideMarket(values, market);
  return lawful ?? issueLoan(stated, productOf(archetype, values, market), market);
}

function foreignDownPayment(body: JsonObject): Refusal | undefined {
  const { currency } = body['principal'] as StatedMoney;
  const down = body['down_payment'] as StatedMoney | undefined;
  if (down === undefined || down.currency === currency) return undefined;
  return refuse('currency_mismatch', { field: '/down_payment/currency', bound: currency, observed: down.currency });
}

function statedLoan(body: JsonObject): StatedLoan {
  const money = (name: string) => body[name] as StatedMoney | undefined;
  const principal = money('principal') as StatedMoney;
  const down = money('down_payment');
  const tax = body['tax'] as { rate: string; on: Charge[] };
  const text = (name: string) => body[name] as string | undefined;
  return {
    principal: BigInt(principal.minor_units),
    currency: principal.currency,
    termPeriods: body['term_periods'] as number,
    rate: rateOf(text('rate') as string),
    ...(text('penalty_rate') === undefined ? {} : { penaltyRate: rateOf(text('penalty_rate') as string) }),
    anchor: dayOf(text('anchor') as string),
    jurisdiction: text('jurisdiction') as string,
    tax: { rate: rateOf(tax.rate), on: tax.on },
    ...(down === undefined ? {} : { downPayment: BigInt(down.minor_units) }),
    ...(body['schedule'] === undefined ? {} : { schedule: body['schedule'] as unknown as Schedule }),
    ...(text('hold_until') === undefined ? {} : { holdUntil: dayOf(text('hold_until') as string) }),
  };
}

/** The terms as stated, without what names the configuration; a rate that was left to it is filled in. */
function echoed(body: JsonObject, agreed: LoanTerms) {
  const { configuration_id, configuration_version, ...stated } = body;
  const filled = { rate: formatRate(agreed.rate), penalty_rate: formatRate(agreed.penaltyRate) };
  const configuration = { id: configuration_id as string, version: configuration_version as number };
  const terms: JsonObject = { ...filled, ...stated };
  return { configuration, terms };
}

/** The Loan in its book, and the fact of it as it is kept. */
function taken(book: ClientBook, submission: Submission, setting: Setting) {
  const agreed = issued(book, submission, setting);
  if (isRefusal(agreed)) return agreed;
  const { facility, ...loan } = agreed;
  const { reference: stated, ...body } = submission.body;
  // A preview may state anything there.
  const reference = String(stated);
  const { configuration, terms } = echoed(body, loan.terms);
  const [loanId, event] = [minted(submission, 0), minted(submission, 1)];
  const fact: Issuance = { type: 'issuance', event, loanId, reference, ...loan };
  const stored: StoredIssuance = {
    loan_id: loanId,
    event_id: event,
    reference,
    configuration,
    stated: { ...terms, reference },
    terms: storeTerms(loan.terms),
    plan: storePlan(loan.plan),
    disclosure: loan.disclosure,
  };
  const kept = { kind: 'issued', body: JSON.stringify(stored) };
  const added = admitted(book, { fact, told: { configuration, terms: stored.stated } }, kept, setting);
  if (isRefusal(added)) return added;
  const overdrawn = facility && checkDrawn(added.after, facility, loan.terms);
  return overdrawn ?? { loan, loanId, event, reference, configuration, terms, kept, after: added.after };
}

const decideIssuance: Decide = (book, submission, setting) => {
  const issuing = taken(book, submission, setting);
  if (isRefusal(issuing)) return issuing;
  const { loan, loanId, event, reference, configuration, terms, kept, after } = issuing;
  const merchant = terms['merchant_ref'] as string | undefined;
  const merchantRef = merchant === undefined ? {} : { merchantRef: merchant };
  const order = orderIn(after, loanId) as number;
  return {
    facts: [
      {
        ...kept,
        counts: true,
        occurredOn: loan.terms.anchor,
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
          state: loan.terms.holdUntil === undefined ? 'active' : 'held',
        },
      },
    ],
    book: after,
    subject: loanId,
    answer: () => ({ status: 201, body: JSON.stringify(loanAnswer(after.folded, order, book.tenantId)) }),
  };
};

/** Refuses whatever issuance refuses, and records nothing. */
const decidePreview: Decide = (book, submission, setting) => {
  const issuing = taken(book, submission, setting);
  if (isRefusal(issuing)) return issuing;
  const { loan, configuration, terms } = issuing;
  const preview = {
    configuration,
    terms,
    periods: issuedPeriods(loan.plan.periods, loan.terms.currency),
    disclosure: disclosureFigure(loan.disclosure),
    regime: regimeOf(loan.terms),
  };
  return { facts: [], book, answer: () => ({ status: 200, body: JSON.stringify(preview) }) };
};

export const issuanceActs: { readonly [operation: string]: Decide } = {
  registerClient,
  issueLoan: decideIssuance,
  previewLoan: decidePreview,
};
