/** The facts of a Client's book as they are kept and published: JSON in the contract's words. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { OrderOf, RecordedAs } from '#libs/ledger/fact-record.ts';
import type { Act, ActKind, Disclosed, Fact, Issuance } from '#libs/ledger/facts.ts';
import { readPlan, readTerms, type StoredPlan, type StoredTerms } from '#libs/ledger/stored-terms.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { Charge } from '#libs/product/terms.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

export type StatedMoney = { readonly minor_units: number; readonly currency: string };
export type StatedAct = {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: Json;
};

/** By the fact's kind, which for an act is the kind of its event. */
export type StoredIssuance = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly reference: string;
  readonly configuration: { readonly id: string; readonly version: number };
  /** The terms as stated: the echo. */
  readonly stated: JsonObject;
  readonly terms: StoredTerms;
  readonly plan: StoredPlan;
  readonly disclosure: Disclosed;
};

export type StoredAct = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: StatedAct;
  readonly stated?: JsonObject;
  /** On acts that plan days: the calendar they were planned by. */
  readonly calendar?: string;
};

export type StoredRetraction = StoredAct & { readonly stated: { readonly event_id: string } };

export type StoredReceipt = {
  readonly id: string;
  readonly receipt: ReceiptBody;
  readonly quote?: { readonly loan_id: string; readonly total: number };
};

export type ReceiptBody = JsonObject & {
  readonly reference: string;
  readonly client_id: string;
  readonly amount: StatedMoney;
  readonly value_date: string;
  readonly designated_loan_id?: string;
  readonly payoff_intent?: boolean;
  readonly quote_id?: string;
};

export type StoredReversal = { readonly receipt: string; readonly reason: string; readonly act: StatedAct };

export type ReadFact = Pick<RecordedAs<Fact>, 'fact' | 'told'>;

/** A fact in a book's snapshot: nothing before its body holds a tab, and the body, being JSON, no end of a line. */
export function lineOf(
  seq: number,
  at: string,
  { kind, body }: { readonly kind: string; readonly body: string },
): string {
  // Joined, it is one piece: a template's text keeps its pieces, and every snapshot would put them together again.
  return [seq, at, kind, body].join('\t');
}

/** A stored fact in domain types, and what it told. */
export function readFact(kind: string, body: JsonObject, orderOf: OrderOf): ReadFact {
  switch (kind) {
    case 'issued':
      return readIssuance(body as unknown as StoredIssuance);
    case 'receipt_reported':
      return readReceipt(body as unknown as StoredReceipt, orderOf);
    case 'receipt_reversed': {
      const { receipt, reason, act } = body as unknown as StoredReversal;
      return { fact: { type: 'reversal', reference: act.reference, receipt }, told: { ...act, reason } as JsonObject };
    }
    case 'retracted': {
      const { event_id: event, loan_id, on, act, stated } = body as unknown as StoredRetraction;
      const common = { event, reference: act.reference, loan: orderOf(loan_id), on: dayOf(on) };
      return {
        fact: { type: 'retraction', ...common, target: stated.event_id.toLowerCase() },
        told: act as unknown as JsonObject,
      };
    }
    default:
      return readAct(kind as ActKind, body as unknown as StoredAct, orderOf);
  }
}

function readIssuance(body: StoredIssuance): ReadFact {
  const { loan_id: loanId, event_id: event, reference, configuration, stated, disclosure } = body;
  const fact: Issuance = {
    type: 'issuance',
    event,
    loanId,
    reference,
    terms: readTerms(body.terms),
    plan: readPlan(body.plan),
    disclosure,
  };
  return { fact, told: { configuration, terms: stated } };
}

function readReceipt({ id, receipt, quote }: StoredReceipt, orderOf: OrderOf): ReadFact {
  const {
    reference,
    amount,
    value_date,
    designated_loan_id: designated,
    payoff_intent: payoffIntent = false,
    quote_id,
  } = receipt;
  return {
    fact: {
      type: 'receipt',
      id,
      reference,
      currency: amount.currency,
      amount: BigInt(amount.minor_units),
      valueDate: dayOf(value_date),
      ...(designated === undefined ? {} : { designated: orderOf(designated) }),
      payoffIntent,
      ...(quote === undefined || quote_id === undefined
        ? {}
        : { quote: { id: quote_id, loan: orderOf(quote.loan_id), total: BigInt(quote.total) } }),
    },
    told: receipt,
  };
}

function readAct(
  kind: ActKind,
  { event_id: event, loan_id, on, act, stated = {}, calendar }: StoredAct,
  orderOf: OrderOf,
): ReadFact {
  const { reference } = act;
  const common = { type: 'act' as const, kind, event, reference, loan: orderOf(loan_id), on: dayOf(on) };
  const body = actBody(kind, on, stated, calendar);
  const fact = (body === undefined ? common : { ...common, body }) as Act;
  return { fact, told: { ...act, on, ...stated } as JsonObject };
}

/** The acts that plan days anew, by the calendar of the day they are recorded. */
export const PLANNING: readonly ActKind[] = ['rolled_over', 'restructured'];

/** What an act states beyond its day, in domain types. */
export function actBody(
  kind: ActKind,
  on: string,
  stated: JsonObject,
  calendar: string | undefined,
): object | undefined {
  const text = (name: string) => stated[name] as string;
  const minor = (name: string) => BigInt((stated[name] as StatedMoney).minor_units);
  switch (kind) {
    case 'suspended':
      return { to: dayOf(text('to')) };
    case 'suspension_ended':
      return { suspension: text('suspension_id').toLowerCase() };
    case 'waived':
      return { period: stated['period'] as number, charge: stated['charge'] as Charge, amount: minor('amount') };
    case 'returned':
      return { amount: minor('amount') };
    case 'restructured': {
      const { schedule, penalty_rate } = stated as { schedule?: Schedule; penalty_rate?: string };
      return {
        termPeriods: stated['term_periods'] as number,
        rate: rateOf(text('rate')),
        ...(schedule === undefined ? {} : { schedule }),
        ...(penalty_rate === undefined ? {} : { penaltyRate: rateOf(penalty_rate) }),
        calendar: calendar as string,
      };
    }
    case 'rolled_over':
      return { calendar: calendar as string };
    case 'accelerated':
      return { notifiedOn: dayOf(text('notified_on')) };
    case 'settled_for_less':
      return { agreed: minor('agreed'), until: dayOf(stated['until'] === undefined ? on : text('until')) };
    default:
      return undefined;
  }
}
