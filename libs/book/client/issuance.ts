/** Registration of the Client, issuance of a Loan and its preview. */

import { issuedPeriods } from '#libs/book/answers/issued.ts';
import { disclosureFigure, loanAnswer } from '#libs/book/answers/loan.ts';
import { regimeOf } from '#libs/book/answers/regime.ts';
import { type ClientBook, orderIn } from '#libs/book/client/client-book.ts';
import { admitted, type Decide, minted, type Setting } from '#libs/book/client/decision.ts';
import { checkGuards } from '#libs/book/client/guards.ts';
import type { Issuance } from '#libs/book/facts.ts';
import { checkOffered, checkTax, type Issued, issueLoan, type StatedLoan } from '#libs/book/issuance.ts';
import type { StatedMoney, StoredIssuance } from '#libs/book/stored-facts.ts';
import { storePlan, storeTerms } from '#libs/book/stored-terms.ts';
import type { Archetype, Charge, LoanTerms } from '#libs/book/terms.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import { canonicalJson } from '#libs/contract/canonical.ts';
import type { JsonObject } from '#libs/contract/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/contract/refusals.ts';
import { formatRate, rateOf } from '#libs/money/rate.ts';
import { checkOutsideMarket } from '#libs/tenancy/outside-market.ts';
import { type Offer, offerOf, productOf } from '#libs/tenancy/product.ts';
import type { Submission } from '#libs/turn/book-kind.ts';
import { formatMoment } from '#libs/turn/moment.ts';

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

type Resolved = { readonly configuration: { readonly archetype: Archetype; readonly values: JsonObject } | null };

/** The Loan as it would be issued, by every check of issuance in their order; the Client comes first. */
function issued(book: ClientBook, { body, resolved }: Submission, setting: Setting): Issued | Refusal {
  if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
  const { configuration } = resolved as unknown as Resolved;
  if (configuration === null) return refuse('no_configuration', { field: '/configuration_version' });
  // No facility can have been granted before facilities are recorded in this book.
  if (body['facility_id'] !== undefined) return refuse('not_found', { field: '/facility_id' });
  const offer = offerOf(configuration.archetype, configuration.values);
  const loan = agreedLoan(body, { ...configuration, offer }, setting.markets);
  if (isRefusal(loan)) return loan;
  return checkGuards(book, loan.terms, offer.guards, setting.calendars) ?? loan;
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

const decideIssuance: Decide = (book, submission, setting) => {
  const loan = issued(book, submission, setting);
  if (isRefusal(loan)) return loan;
  const { body } = submission;
  const { configuration, terms } = echoed(body, loan.terms);
  const [loanId, event] = [minted(submission, 0), minted(submission, 1)];
  const reference = body['reference'] as string;
  const fact: Issuance = { type: 'issuance', event, loanId, reference, ...loan };
  const stored: StoredIssuance = {
    loan_id: loanId,
    event_id: event,
    reference,
    configuration,
    stated: terms,
    terms: storeTerms(loan.terms),
    plan: storePlan(loan.plan),
    disclosure: loan.disclosure,
  };
  const kept = { kind: 'issued', body: JSON.stringify(stored) };
  const added = admitted(book, { fact, told: { configuration, terms } }, kept, setting);
  if (isRefusal(added)) return added;
  const merchant = terms['merchant_ref'] as string | undefined;
  const merchantRef = merchant === undefined ? {} : { merchantRef: merchant };
  const order = orderIn(added.after, loanId) as number;
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
    book: added.after,
    subject: loanId,
    answer: () => ({ status: 201, body: JSON.stringify(loanAnswer(added.after.folded, order, book.tenantId)) }),
  };
};

/** Refuses whatever issuance refuses, and records nothing. */
const decidePreview: Decide = (book, submission, setting) => {
  const loan = issued(book, submission, setting);
  if (isRefusal(loan)) return loan;
  const { reference: _read_by_nothing, ...body } = submission.body;
  const { terms, plan, disclosure } = loan;
  const preview = {
    ...echoed(body, terms),
    periods: issuedPeriods(plan.periods, terms.currency),
    disclosure: disclosureFigure(disclosure),
    regime: regimeOf(terms),
  };
  return { facts: [], book, answer: () => ({ status: 200, body: JSON.stringify(preview) }) };
};

export const issuanceActs: { readonly [operation: string]: Decide } = {
  registerClient,
  issueLoan: decideIssuance,
  previewLoan: decidePreview,
};
