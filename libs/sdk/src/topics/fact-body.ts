/** The body of a fact in one form: money is an object, a day is a text, and a period of the plan has members by name. */
import type { FactBodies, Money } from '../contract/shapes.ts';
import { formatDay } from './avro-decoder.ts';
import type { BookEvent } from './book-event.ts';

/** Throws where the fact is of another kind. `event.body` is the text as it is stored. */
export function factBody<Kind extends keyof FactBodies>(
  event: Pick<BookEvent, 'kind' | 'body'>,
  kind: Kind,
): FactBodies[Kind] {
  if (event.kind !== kind) throw new TypeError(`the fact is of the kind ${event.kind}; expected ${kind}`);
  return readBody(kind, JSON.parse(event.body)) as FactBodies[Kind];
}

function readBody(kind: string, stored: unknown): unknown {
  switch (kind) {
    case 'issued':
      return readIssued(stored as StoredIssued);
    case 'receipt_reported':
      return readReceipt(stored as StoredReceipt);
    case 'payoff_quoted':
      return readQuote(stored as StoredQuote);
    default:
      return stored;
  }
}

const amountsOfTerms = [
  'principal',
  'down_payment',
  'origination_fee',
  'late_fee',
  'rollover_fee',
  'tolerance',
] as const;

interface StoredIssued {
  readonly terms: Readonly<Record<(typeof amountsOfTerms)[number], number>> & { readonly currency: string };
  readonly plan: { readonly level: number; readonly periods: readonly StoredPeriod[] };
}

/** Days are counted from 1970-01-01. */
type StoredPeriod = readonly [
  index: number,
  scheduled_on: number,
  due_on: number,
  principal: number,
  interest: number,
  fee: number,
  tax: number,
];

function readIssued({ terms, plan, ...others }: StoredIssued) {
  const money = (minor_units: number): Money => ({ minor_units, currency: terms.currency });
  const amounts = Object.fromEntries(amountsOfTerms.map((name) => [name, money(terms[name])]));
  const periods = plan.periods.map(([index, scheduled_on, due_on, principal, interest, fee, tax]) => ({
    index,
    scheduled_on: formatDay(scheduled_on),
    due_on: formatDay(due_on),
    principal: money(principal),
    interest: money(interest),
    fee: money(fee),
    tax: money(tax),
  }));
  return { ...others, terms: { ...terms, ...amounts }, plan: { level: money(plan.level), periods } };
}

interface StoredReceipt {
  readonly receipt: { readonly amount: Money };
  readonly quote?: { readonly loan_id: string; readonly total: number };
}

function readReceipt({ quote, ...others }: StoredReceipt) {
  if (quote === undefined) return others;
  const { currency } = others.receipt.amount;
  return { ...others, quote: { ...quote, total: { minor_units: quote.total, currency } } };
}

interface StoredQuote {
  /** The name of earlier releases. */
  readonly loanId: string;
  readonly loan_id?: string;
}

function readQuote({ loanId, ...others }: StoredQuote) {
  return { loan_id: loanId, ...others };
}
