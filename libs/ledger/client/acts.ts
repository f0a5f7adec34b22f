/** Acts on a Loan, their retraction, and payoff quotes. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { loanOptions } from '#libs/ledger/answers/payment-options.ts';
import { type ClientBook, orderIn, type Quote } from '#libs/ledger/client/client-book.ts';
import { accountIn, admitted, type Decide, minted } from '#libs/ledger/client/decision.ts';
import type { ActKind } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { actBody, PLANNING, type StatedMoney } from '#libs/ledger/stored-facts.ts';
import { calendarName } from '#libs/product/markets/market.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The kind of event each route's act records. */
export const KINDS: { readonly [operation: string]: ActKind } = {
  confirmLoan: 'confirmed',
  voidLoan: 'voided',
  cancelLoan: 'cancelled',
  rescindLoan: 'rescinded',
  withdrawLoan: 'withdrawn',
  suspendLoan: 'suspended',
  endSuspension: 'suspension_ended',
  waiveCharge: 'waived',
  returnGoods: 'returned',
  rollOverLoan: 'rolled_over',
  restructureLoan: 'restructured',
  accelerateLoan: 'accelerated',
  settleLoan: 'settled_for_less',
  writeOffLoan: 'written_off',
  cedeLoan: 'ceded',
};

const decideAct: Decide = (book, submission, setting) => {
  const { operation, params, body } = submission;
  const kind = KINDS[operation];
  if (kind === undefined) throw new Error(`${operation} is no act on a Loan`);
  const found = loanNamed(book, params);
  if (isRefusal(found)) return found;
  const { order, loan } = found;
  const foreign = foreignMoney(loan, body);
  if (foreign !== undefined) return foreign;
  const { act, stated, on } = accountIn(body);
  const event = minted(submission, 0);
  const market = setting.markets.get(loan.terms.jurisdiction);
  const calendar = market !== undefined && PLANNING.includes(kind) ? calendarName(market) : undefined;
  const own = actBody(kind, on, stated, calendar);
  const common = {
    type: 'act' as const,
    kind,
    event,
    reference: act['reference'] as string,
    loan: order,
    on: dayOf(on),
  };
  const fact = (own === undefined ? common : { ...common, body: own }) as Parameters<typeof admitted>[1]['fact'];
  const kept = {
    kind,
    body: JSON.stringify({
      event_id: event,
      loan_id: loan.id,
      on,
      act,
      ...(Object.keys(stated).length === 0 ? {} : { stated }),
      ...(calendar === undefined ? {} : { calendar }),
    }),
  };
  const added = admitted(book, { fact, told: { ...act, on, ...stated } }, kept, setting);
  if (isRefusal(added)) return added;
  return {
    facts: [
      { ...kept, counts: true, occurredOn: common.on, loanId: loan.id, eventId: event, ...merchantOf(book, order) },
    ],
    book: added.after,
    subject: event,
    answer: () => ({ status: 201, body: loanText(added.after, order) }),
  };
};

const decideRetraction: Decide = (book, submission, setting) => {
  const found = loanNamed(book, submission.params);
  if (isRefusal(found)) return found;
  const { order, loan } = found;
  const { act, stated, on } = accountIn(submission.body);
  const event = minted(submission, 0);
  const target = (stated['event_id'] as string).toLowerCase();
  const day = dayOf(on);
  const fact = {
    type: 'retraction' as const,
    event,
    reference: act['reference'] as string,
    loan: order,
    on: day,
    target,
  };
  const kept = { kind: 'retracted', body: JSON.stringify({ event_id: event, loan_id: loan.id, on, act, stated }) };
  const added = admitted(book, { fact, told: act }, kept, setting);
  if (isRefusal(added)) return added;
  return {
    // No event of the Loan: what it withdrew shows it.
    facts: [{ ...kept, counts: true, occurredOn: day, loanId: loan.id, ...merchantOf(book, order) }],
    book: added.after,
    subject: event,
    answer: () => ({ status: 201, body: loanText(added.after, order) }),
  };
};

const decideQuote: Decide = (book, submission, { at, calendars }) => {
  const found = loanNamed(book, submission.params);
  if (isRefusal(found)) return found;
  const { order, loan } = found;
  const { act, on } = accountIn(submission.body);
  const moment = bookOnDay(book.folded, dayOf(on), calendars);
  const owed = loanOptions(moment, moment.loans[order] as Loan).payoff.owed;
  const kept = { id: minted(submission, 0), loanId: loan.id, on, owed, act };
  const quote = { ...kept, at: formatMoment(at) } as unknown as Quote;
  return {
    facts: [{ kind: 'payoff_quoted', body: JSON.stringify(kept), counts: false, occurredOn: dayOf(on) }],
    book: { ...book, sequence: book.sequence + 1, quotes: [...book.quotes, quote] },
    subject: kept.id,
    answer: () => ({ status: 201, body: JSON.stringify(quoteAnswer(quote)) }),
  };
};

export const loanActs: { readonly [operation: string]: Decide } = {
  ...Object.fromEntries(Object.keys(KINDS).map((operation) => [operation, decideAct])),
  retractFact: decideRetraction,
  quotePayoff: decideQuote,
};

export function loanNamed(
  book: ClientBook,
  params: { readonly [name: string]: string },
): { readonly order: number; readonly loan: Loan } | Refusal {
  const order = orderIn(book, String(params['loan_id']));
  const loan = order === undefined ? undefined : book.folded.head.loans[order];
  return order === undefined || loan === undefined ? refuse('not_found') : { order, loan };
}

/** Money of an act is in the Loan's currency. */
function foreignMoney(loan: Loan, body: JsonObject): Refusal | undefined {
  for (const name of ['amount', 'agreed']) {
    const money = body[name] as StatedMoney | undefined;
    if (money === undefined || money.currency === loan.terms.currency) continue;
    return refuse('currency_mismatch', {
      field: `/${name}/currency`,
      bound: loan.terms.currency,
      observed: money.currency,
    });
  }
  return undefined;
}

export function merchantOf(book: ClientBook, order: number): { readonly merchantRef?: string } {
  const told = book.folded.loans[order]?.recorded.told as { terms?: { merchant_ref?: string } } | undefined;
  const merchantRef = told?.terms?.merchant_ref;
  return merchantRef === undefined ? {} : { merchantRef };
}

export function loanText(book: ClientBook, order: number): string {
  return JSON.stringify(loanAnswer(book.folded, order, book.tenantId));
}

export function quoteAnswer({ id, loanId, on, owed, act, at }: Quote) {
  return { id, loan_id: loanId, on, owed, ...act, quoted_at: at };
}
