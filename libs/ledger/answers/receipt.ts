/** A Receipt and where its money was allocated. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import {
  type ChargeLine,
  chargeLine,
  moneyFigure,
  type OwedFigure,
  owedFigure,
} from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, payoffShort } from '#libs/ledger/answers/anomalies.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import { NO_DEBT, sumDebts } from '#libs/ledger/charges/debt.ts';
import { receiptOutcome } from '#libs/ledger/checkpoints.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-log.ts';
import type { StepOutcome } from '#libs/ledger/fold.ts';
import type { Debt } from '#libs/ledger/loan.ts';
import { allocationTotal, type LoanAllocation } from '#libs/ledger/receipts/allocation.ts';
import { statementOf } from '#libs/ledger/stored-facts.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type ReceiptRow = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly amount: MoneyJson;
  readonly value_date: string;
  readonly designated_loan_id?: string;
  readonly payoff_intent: boolean;
  readonly rail?: Json;
  readonly provider_reference?: Json;
  readonly context?: Json;
  readonly reported_at: string;
  readonly reversed: boolean;
  readonly reversed_at?: string;
  readonly reversal?: JsonObject;
};

export type ReceiptAnswer = {
  readonly receipt: ReceiptRow;
  readonly settled: MoneyJson;
  readonly loans: readonly ReceiptLoan[];
  readonly surplus: MoneyJson;
  readonly excess?: MoneyJson;
  readonly quote_id?: string;
  readonly quoted_figure_agrees?: boolean;
  readonly anomalies: readonly Anomaly[];
};

export type ReceiptLoan = {
  readonly loan_id: string;
  readonly reference: string;
  readonly settled: OwedFigure;
  readonly lines: readonly ({ readonly period: number } & ChargeLine)[];
  readonly early_principal?: MoneyJson;
  readonly discharged: boolean;
};

const echoedMembers = ['designated_loan_id', 'rail', 'provider_reference', 'context'];

export function receiptRow(book: FoldedFacts, recorded: RecordedReceipt, clientId: string): ReceiptRow {
  const { fact, at } = recorded;
  const reversal = book.log.reversal(book.length, fact.reference);
  return {
    id: fact.id,
    reference: fact.reference,
    client_id: clientId,
    amount: moneyFigure(fact.amount, fact.currency),
    value_date: formatDay(fact.valueDate),
    payoff_intent: fact.payoffIntent,
    ...Object.fromEntries(Object.entries(statementOf(recorded)).filter(([name]) => echoedMembers.includes(name))),
    reported_at: at,
    reversed: reversal !== undefined,
    ...(reversal === undefined ? {} : { reversed_at: reversal.at, reversal: statementOf(reversal) }),
  };
}

/** The Receipts recorded before a sequence, newest first, at most `limit` of them. */
export function receiptsBefore(
  book: FoldedFacts,
  seq: number,
  limit: number,
  isShown: (receipt: RecordedReceipt) => boolean,
): readonly RecordedReceipt[] {
  const found: RecordedReceipt[] = [];
  for (const each of book.log.entries(book.length)) {
    if (each.seq >= seq) break;
    if (each.fact.type === 'receipt' && isShown(each as RecordedReceipt)) found.push(each as RecordedReceipt);
  }
  return found.slice(-limit).reverse();
}

/** Pass the outcome where it is `known`. Otherwise the book is folded again up to the Receipt. */
export function receiptAnswer(
  book: FoldedFacts,
  recorded: RecordedReceipt,
  clientId: string,
  calendars: Calendars,
  known?: StepOutcome,
): ReceiptAnswer {
  const { fact, seq } = recorded;
  const { currency, quote } = fact;
  const outcome = known ?? receiptOutcome(book, fact, seq, calendars);
  const allocation = outcome?.type === 'receipt' ? outcome.allocation : undefined;
  const shares = allocation?.shares ?? [];
  const agrees = quote !== undefined && outcome?.type === 'receipt' && outcome.quotedLoanOwed === quote.total;
  return {
    receipt: receiptRow(book, recorded, clientId),
    settled: moneyFigure(
      shares.reduce((sum, share) => sum + allocationTotal(share), 0n),
      currency,
    ),
    loans: shares.map((share) => receiptLoan(book, share, currency)),
    surplus: moneyFigure(allocation?.surplus ?? 0n, currency),
    ...(allocation?.excess === undefined ? {} : { excess: moneyFigure(allocation.excess.amount, currency) }),
    ...(quote === undefined ? {} : { quote_id: quote.id, quoted_figure_agrees: agrees }),
    anomalies: allocation?.payoffShort ? [payoffShort(fact.reference)] : [],
  };
}

function receiptLoan(book: FoldedFacts, share: LoanAllocation, currency: string): ReceiptLoan {
  const issuance = book.loans[share.order]?.issuance;
  if (issuance === undefined)
    throw new Error(`the Receipt was allocated to Loan ${share.order}, which is not in its book`);
  return {
    loan_id: issuance.loanId,
    reference: issuance.reference,
    settled: owedFigure(settledOf(share), currency),
    lines: share.lines.map(({ period, charge, ...taxed }) => ({ period, ...chargeLine(charge, taxed, currency) })),
    ...(share.early === 0n ? {} : { early_principal: moneyFigure(share.early, currency) }),
    discharged: share.discharged,
  };
}

function settledOf({ lines, early }: LoanAllocation): Debt {
  const debts = lines.map(({ charge, amount, tax }): Debt => ({ ...NO_DEBT, [charge]: { amount, tax } }));
  return sumDebts([...debts, { ...NO_DEBT, principal: { amount: early, tax: 0n } }]);
}
