/** Acts on a Loan, their retraction, and payoff quotes. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import { type Act, type ActManifest, type DayOnlyBody, dayOnlyBody } from '#libs/ledger/act.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanAnswer, statedIssuance } from '#libs/ledger/answers/loan.ts';
import { loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { admitToBook, type ClientOperation, mintedId } from '#libs/ledger/client/admission.ts';
import { type ClientBook, loanOrder, type PayoffQuote } from '#libs/ledger/client/client-book.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { type RetractionBody, retractionBody } from '#libs/ledger/request-bodies.ts';
import { readAct } from '#libs/ledger/stored-facts.ts';
import { calendarName } from '#libs/product/markets/market.ts';
import { isObject, type JsonObject } from '#libs/schema/json.ts';
import { splitAccount } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** Records any act of the manifest. */
const actOperation = (definition: Act): ClientOperation<DayOnlyBody> => ({
  body: definition.requestBody,
  decide(book, submission, context) {
    const found = loanNamed(book, submission.params);
    if (isRefusal(found)) return found;
    const { order, loan } = found;
    const foreign = refuseForeignCurrency(definition, loan, submission.body);
    if (foreign !== undefined) return foreign;
    const [act, { on, ...stated }] = splitAccount(submission.body);
    const event = mintedId(submission, 0);
    const market = context.markets.get(loan.terms.jurisdiction);
    const calendar = market !== undefined && definition.usesCalendar ? calendarName(market) : undefined;
    const body = {
      event_id: event,
      loan_id: loan.id,
      on,
      act,
      ...(Object.keys(stated).length === 0 ? {} : { stated }),
      ...(calendar === undefined ? {} : { calendar }),
    };
    const stored = { kind: definition.kind, body: JSON.stringify(body) };
    const added = admitToBook(book, readAct(definition, body, order), stored, context);
    if (isRefusal(added)) return added;
    return {
      facts: [
        {
          ...stored,
          counts: true,
          occurredOn: dayOf(on),
          loanId: loan.id,
          eventId: event,
          ...merchantOf(book, order),
        },
      ],
      book: added.after,
      subject: event,
      answer: () => ({ status: 201, body: loanText(added.after, order) }),
    };
  },
});

const retractFact: ClientOperation<RetractionBody> = {
  body: retractionBody,
  decide(book, submission, context) {
    const found = loanNamed(book, submission.params);
    if (isRefusal(found)) return found;
    const { order, loan } = found;
    const [act, { on, ...stated }] = splitAccount(submission.body);
    const event = mintedId(submission, 0);
    const target = stated.event_id.toLowerCase();
    const day = dayOf(on);
    const fact = {
      type: 'retraction' as const,
      event,
      reference: act.reference,
      loan: order,
      on: day,
      target,
    };
    const stored = { kind: 'retracted', body: JSON.stringify({ event_id: event, loan_id: loan.id, on, act, stated }) };
    const added = admitToBook(book, { fact, statement: act }, stored, context);
    if (isRefusal(added)) return added;
    return {
      // Without an event id: a retraction is shown with the event it retracts, not in the feed.
      facts: [{ ...stored, counts: true, occurredOn: day, loanId: loan.id, ...merchantOf(book, order) }],
      book: added.after,
      subject: event,
      answer: () => ({ status: 201, body: loanText(added.after, order) }),
    };
  },
};

const quotePayoff: ClientOperation<DayOnlyBody> = {
  body: dayOnlyBody,
  decide(book, submission, { at, calendars }) {
    const found = loanNamed(book, submission.params);
    if (isRefusal(found)) return found;
    const { order, loan } = found;
    const [act, { on }] = splitAccount(submission.body);
    const day = bookOnDay(book.folded, dayOf(on), calendars);
    const owed = loanPaymentOptions(day, day.loans[order] as Loan).payoff.owed;
    const stored = { id: mintedId(submission, 0), loan_id: loan.id, loanId: loan.id, on, owed, act };
    const quote: PayoffQuote = { ...stored, at: formatMoment(at) };
    return {
      facts: [{ kind: 'payoff_quoted', body: JSON.stringify(stored), counts: false, occurredOn: dayOf(on) }],
      book: { ...book, sequence: book.sequence + 1, quotes: [...book.quotes, quote] },
      subject: stored.id,
      answer: () => ({ status: 201, body: JSON.stringify(quoteAnswer(quote)) }),
    };
  },
};

/** The operations on a Loan. */
export function loanOperations(acts: ActManifest): { readonly [operation: string]: ClientOperation } {
  return {
    ...Object.fromEntries(acts.acts.map((act) => [act.route.operation, actOperation(act)])),
    retractFact,
    quotePayoff,
  };
}

export function loanNamed(
  book: ClientBook,
  params: { readonly [name: string]: string },
): { readonly order: number; readonly loan: Loan } | Refusal {
  const order = loanOrder(book, String(params['loan_id']));
  const loan = order === undefined ? undefined : book.folded.head.loans[order];
  return order === undefined || loan === undefined ? refuse('not_found') : { order, loan };
}

/** Money of an act must be in the Loan's currency. */
function refuseForeignCurrency({ moneyFields }: Act, loan: Loan, body: JsonObject): Refusal | undefined {
  for (const name of moneyFields) {
    const money = body[name];
    if (!isObject(money) || money['currency'] === loan.terms.currency) continue;
    return refuse('currency_mismatch', {
      field: `/${name}/currency`,
      bound: loan.terms.currency,
      observed: String(money['currency']),
    });
  }
  return undefined;
}

export function merchantOf(book: ClientBook, order: number): { readonly merchantRef?: string } {
  const record = book.folded.loans[order];
  const merchantRef = record && statedIssuance(record).terms.merchant_ref;
  return merchantRef === undefined ? {} : { merchantRef };
}

export function loanText(book: ClientBook, order: number): string {
  return JSON.stringify(loanAnswer(book.folded, order, book.tenantId));
}

export function quoteAnswer({ id, loanId, on, owed, act, at }: PayoffQuote) {
  return { id, loan_id: loanId, on, owed, ...act, quoted_at: at };
}
