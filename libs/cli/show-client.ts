/** `lending client show`: a Client's Loans on a day, what it is owed back, and whether it may apply. */

import type { BarAnswer } from '#libs/credit/bar.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import type { Obligations } from '#libs/ledger/answers/obligations.ts';
import type { LoanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { callerFor } from './caller.ts';
import { requireRegistered } from './clients/require-registered.ts';
import type { CallerCommandOptions } from './commands/caller-options.ts';
import { formatAmount } from './output/currency.ts';
import { type Column, formatTable } from './output/text-table.ts';

/** The part of the book's answer that is shown. */
export type ClientBookAnswer = {
  readonly client_id: string;
  readonly on: string;
  readonly book_version: { readonly version?: string; readonly facts: number };
  readonly loans: readonly { readonly loan: LoanAnswer; readonly payment_options: LoanPaymentOptions }[];
  readonly obligations: Obligations;
  readonly bar: BarAnswer;
  readonly anomalies: readonly { readonly kind: string }[];
};

/** Longer references are cut; `loan show` prints them in full. */
const maxReferenceLength = 24;

export type ShowClientOptions = CallerCommandOptions & { readonly on: string };

export async function showClient(clientId: string, options: ShowClientOptions): Promise<void> {
  const { on, json = false } = options;
  const path = `/clients/${encodeURIComponent(clientId)}/book?on=${encodeURIComponent(on)}`;
  const caller = callerFor(options);
  const book = await caller.request<ClientBookAnswer>('GET', path);
  // The service answers an empty book for a Client that does not exist, too. The registration is no fact of the version.
  if (book.book_version.version === undefined) await requireRegistered(caller, clientId);
  console.log(json ? JSON.stringify(book, null, 2) : formatClient(book));
}

export function formatClient({
  client_id,
  on,
  book_version,
  loans,
  obligations,
  bar,
  anomalies,
}: ClientBookAnswer): string {
  const { version, facts } = book_version;
  const credits = obligations.currencies ?? [obligations];
  const recorded =
    version === undefined ? 'nothing but its registration' : `${facts} facts, the last recorded at ${version}`;
  return [
    `Client ${client_id} on ${on}: ${recorded}`,
    '',
    ...(loans.length === 0 ? ['no Loans'] : formatTable(columnsOf(loans))),
    '',
    `Owed back     ${credits.map(({ amount }) => formatMoney(amount)).join(', ')}`,
    `May apply     ${mayApply(bar)}`,
    `Anomalies     ${anomalies.length === 0 ? 'none' : anomalies.map(({ kind }) => kind).join(', ')}`,
  ].join('\n');
}

function mayApply(bar: BarAnswer): string {
  if (bar.barred) return `no, barred until ${bar.lifts_on} by Decision ${bar.decision}`;
  return 'yes';
}

function columnsOf(loans: ClientBookAnswer['loans']): Column[] {
  const of = (cell: (row: ClientBookAnswer['loans'][number]) => string): string[] => loans.map(cell);
  const text = { isText: true };
  return [
    { title: 'loan', cells: of(({ payment_options }) => shorten(payment_options.reference)), ...text },
    { title: 'state', cells: of(({ loan }) => loan.state.replaceAll('_', ' ')), ...text },
    { title: '', cells: of(({ payment_options }) => payment_options.payoff.owed.total.currency), ...text },
    { title: 'overdue', cells: of(({ payment_options }) => figure(payment_options.overdue.total)) },
    { title: 'days late', cells: of(({ payment_options: { late } }) => String(late?.worst_days_past_due ?? '')) },
    { title: 'next due', cells: of(({ payment_options: { instalment } }) => instalment?.due_on ?? ''), ...text },
    {
      title: 'instalment',
      cells: of(({ payment_options: { instalment } }) =>
        instalment === undefined ? '' : figure(instalment.owed.total),
      ),
    },
    { title: 'payoff', cells: of(({ payment_options }) => figure(payment_options.payoff.owed.total)) },
  ];
}

type AmountJson = Obligations['amount'];

function figure({ minor_units, currency }: AmountJson): string {
  return formatAmount(minor_units, currency);
}

function formatMoney(amount: AmountJson): string {
  return `${figure(amount)} ${amount.currency}`;
}

function shorten(reference: string): string {
  const letters = [...reference];
  return letters.length <= maxReferenceLength ? reference : `${letters.slice(0, maxReferenceLength - 1).join('')}…`;
}
