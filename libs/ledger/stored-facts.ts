/** The facts of a Client's book as they are stored and published: JSON with the names of the contract. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { type Act, type ActManifest, actFact } from '#libs/ledger/act.ts';
import { manifest } from '#libs/ledger/acts/manifest.ts';
import type { FactEntry, LoanOrderOf } from '#libs/ledger/fact-log.ts';
import type { Fact, FrozenDisclosure, Issuance } from '#libs/ledger/facts.ts';
import type { ReceiptBody } from '#libs/ledger/request-bodies.ts';
import { readPlan, readTerms, type StoredPlan, type StoredTerms } from '#libs/ledger/stored-terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Account } from '#libs/schema/objects.ts';

export type StoredIssuance = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly reference: string;
  readonly configuration: { readonly id: string; readonly version: number };
  /** The terms as stated, repeated in answers. */
  readonly stated: JsonObject;
  readonly terms: StoredTerms;
  readonly plan: StoredPlan;
  readonly disclosure: FrozenDisclosure;
};

export type StoredAct = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: Account;
  readonly stated?: JsonObject;
  /** On acts that plan days: the name of the calendar they were planned by. */
  readonly calendar?: string;
};

export type StoredRetraction = StoredAct & { readonly stated: { readonly event_id: string } };

export type StoredReceipt = {
  readonly id: string;
  readonly receipt: ReceiptBody;
  readonly quote?: { readonly loan_id: string; readonly total: number };
};

export type StoredReversal = { readonly receipt: string; readonly reason: string; readonly act: Account };

/** Without a statement for Receipts and reversals, the bulk of a long book: parsed, it may take 20 times its text. */
export type ReadFact = Pick<FactEntry<Fact>, 'fact' | 'statement'>;

/** A fact as a line of its book's snapshot. Only the body can hold a tab, and as JSON it holds no line break. */
export function lineOf(
  seq: number,
  at: string,
  { kind, body }: { readonly kind: string; readonly body: string },
): string {
  // `join` makes one flat string; a template would keep its parts, to be flattened for every snapshot.
  return [seq, at, kind, body].join('\t');
}

export function bodyOfLine(line: string): string {
  const afterSeq = line.indexOf('\t');
  const afterAt = line.indexOf('\t', afterSeq + 1);
  return line.slice(line.indexOf('\t', afterAt + 1) + 1);
}

/** The body as the caller stated it. */
export function statementOf({ fact, statement, line }: FactEntry<Fact>): JsonObject {
  if (statement !== undefined) return statement;
  if (line === undefined) throw new Error(`a fact of type ${fact.type} has neither a statement nor a snapshot line`);
  const body: unknown = JSON.parse(bodyOfLine(line));
  if (fact.type === 'receipt') return (body as StoredReceipt).receipt;
  const { act, reason } = body as StoredReversal;
  return { ...act, reason };
}

/** A stored fact in domain types. `body` was written by this service, so it has the type that belongs to `kind`. */
export function readFact(kind: string, body: unknown, orderOf: LoanOrderOf, acts: ActManifest = manifest): ReadFact {
  switch (kind) {
    case 'issued':
      return readIssuance(body as StoredIssuance);
    case 'receipt_reported':
      return readReceipt(body as StoredReceipt, orderOf);
    case 'receipt_reversed':
      return readReversal(body as StoredReversal);
    case 'retracted':
      return readRetraction(body as StoredRetraction, orderOf);
    default: {
      const stored = body as StoredAct;
      return readAct(acts.ofKind(kind), stored, orderOf(stored.loan_id));
    }
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
  return { fact, statement: { configuration, terms: stated } };
}

function readReceipt({ id, receipt, quote }: StoredReceipt, orderOf: LoanOrderOf): ReadFact {
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
  };
}

function readReversal({ receipt, act }: StoredReversal): ReadFact {
  return { fact: { type: 'reversal', reference: act.reference, receipt } };
}

function readRetraction(
  { event_id: event, loan_id, on, act, stated }: StoredRetraction,
  orderOf: LoanOrderOf,
): ReadFact {
  const { reference } = act;
  const target = stated.event_id.toLowerCase();
  const fact = { type: 'retraction' as const, event, reference, loan: orderOf(loan_id), on: dayOf(on), target };
  return { fact, statement: { ...act } };
}

/** `loan` is the place of the act's Loan in the order of recording. */
export function readAct(act: Act, stored: StoredAct, loan: number): ReadFact {
  const { event_id: event, act: account, stated = {}, calendar } = stored;
  const on = dayOf(stored.on);
  const body = act.read(stated, { on, calendar });
  return {
    fact: actFact(act, { event, reference: account.reference, loan, on }, body),
    statement: { ...account, on: stored.on, ...stated },
  };
}
