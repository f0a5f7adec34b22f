import { formatDay } from '#libs/calendar/civil-day.ts';
import { type Anomaly, payoffShort } from '#libs/ledger/answers/anomalies.ts';
import { type ChargeLine, chargeLine, type Money, money, type Owed, owedFigure } from '#libs/ledger/answers/figures.ts';
import { type Book, outcomeOf } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { NO_DEBT, sumOf } from '#libs/ledger/charges/debt.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-record.ts';
import type { StepOutcome } from '#libs/ledger/fold.ts';
import type { Debt } from '#libs/ledger/loan.ts';
import { type LoanShare, shareTotal } from '#libs/ledger/receipts/allocation.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

export type ReceiptRow = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly amount: Money;
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
  readonly settled: Money;
  readonly loans: readonly ReceiptLoan[];
  readonly surplus: Money;
  readonly excess?: Money;
  readonly quote_id?: string;
  readonly quoted_figure_agrees?: boolean;
  readonly anomalies: readonly Anomaly[];
};

export type ReceiptLoan = {
  readonly loan_id: string;
  readonly reference: string;
  readonly settled: Owed;
  readonly lines: readonly ({ readonly period: number } & ChargeLine)[];
  readonly early_principal?: Money;
  readonly discharged: boolean;
};

const TOLD = ['designated_loan_id', 'rail', 'provider_reference', 'context'];

export function receiptRow(book: Book, { fact, at, told }: RecordedReceipt, clientId: string): ReceiptRow {
  const reversal = book.log.reversal(book.length, fact.reference);
  return {
    id: fact.id,
    reference: fact.reference,
    client_id: clientId,
    amount: money(fact.amount, fact.currency),
    value_date: formatDay(fact.valueDate),
    payoff_intent: fact.payoffIntent,
    ...Object.fromEntries(Object.entries(told).filter(([name]) => TOLD.includes(name))),
    reported_at: at,
    reversed: reversal !== undefined,
    ...(reversal === undefined ? {} : { reversed_at: reversal.at, reversal: reversal.told }),
  };
}

/** The Receipts recorded before a place in the order of recording, newest first, at most so many. */
export function receiptsBefore(
  book: Book,
  seq: number,
  most: number,
  isShown: (receipt: RecordedReceipt) => boolean,
): readonly RecordedReceipt[] {
  const found: RecordedReceipt[] = [];
  for (const each of book.log.facts(book.length)) {
    if (each.seq >= seq) break;
    if (each.fact.type === 'receipt' && isShown(each as RecordedReceipt)) found.push(each as RecordedReceipt);
  }
  return found.slice(-most).reverse();
}

/** The Receipt and where its money is now; `known` spares folding up to it again where its outcome is at hand. */
export function receiptAnswer(
  book: Book,
  recorded: RecordedReceipt,
  clientId: string,
  calendars: Calendars,
  known?: StepOutcome,
): ReceiptAnswer {
  const { fact, seq } = recorded;
  const { currency, quote } = fact;
  const outcome = known ?? outcomeOf(book, fact, seq, calendars);
  const placed = outcome?.type === 'receipt' ? outcome.placed : undefined;
  const shares = placed?.shares ?? [];
  const agrees = quote !== undefined && outcome?.type === 'receipt' && outcome.quotedLoanOwed === quote.total;
  return {
    receipt: receiptRow(book, recorded, clientId),
    settled: money(
      shares.reduce((sum, share) => sum + shareTotal(share), 0n),
      currency,
    ),
    loans: shares.map((share) => receiptLoan(book, share, currency)),
    surplus: money(placed?.surplus ?? 0n, currency),
    ...(placed?.excess === undefined ? {} : { excess: money(placed.excess.amount, currency) }),
    ...(quote === undefined ? {} : { quote_id: quote.id, quoted_figure_agrees: agrees }),
    anomalies: placed?.payoffShort ? [payoffShort(fact.reference)] : [],
  };
}

function receiptLoan(book: Book, share: LoanShare, currency: string): ReceiptLoan {
  const issuance = book.loans[share.order]?.issuance;
  if (issuance === undefined) throw new Error('a Receipt reached a Loan of its book');
  return {
    loan_id: issuance.loanId,
    reference: issuance.reference,
    settled: owedFigure(settledOf(share), currency),
    lines: share.lines.map(({ period, charge, ...taxed }) => ({ period, ...chargeLine(charge, taxed, currency) })),
    ...(share.early === 0n ? {} : { early_principal: money(share.early, currency) }),
    discharged: share.discharged,
  };
}

function settledOf({ lines, early }: LoanShare): Debt {
  const debts = lines.map(({ charge, amount, tax }): Debt => ({ ...NO_DEBT, [charge]: { amount, tax } }));
  return sumOf([...debts, { ...NO_DEBT, principal: { amount: early, tax: 0n } }]);
}
