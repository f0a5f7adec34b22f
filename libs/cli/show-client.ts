/** `lending client show`: a Client's Loans on a day, what it is owed back, and whether it may apply. */

import type { Command } from 'commander';
import type { BarAnswer } from '#libs/credit/bar.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import type { Obligations } from '#libs/ledger/answers/obligations.ts';
import type { LoanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { addTenantOption, callerFor } from './caller.ts';
import { formatAmount } from './currency.ts';
import { type Column, formatTable } from './text-table.ts';

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

/** The registration is the first fact of a Client's book. */
const notRegistered = 'this Client is not registered';

/** Longer references are cut; `loan show` prints them in full. */
const maxReferenceLength = 24;

export function addClientCommands(program: Command): void {
  const client = program.command('client').description('show a Client');
  const show = client
    .command('show')
    .description('show the Loans of a Client and what each owes on a day, what is owed back, and whether it may apply')
    .argument('<client>', "the Client's id")
    .requiredOption('--on <day>', 'YYYY-MM-DD')
    .option('--json', 'print the answer of the service');
  addTenantOption(show).action(showClient);
}

type ShowOptions = { readonly on: string; readonly json?: boolean; readonly tenant?: string };

async function showClient(clientId: string, options: ShowOptions): Promise<void> {
  const { on, json = false } = options;
  const path = `/clients/${encodeURIComponent(clientId)}/book?on=${encodeURIComponent(on)}`;
  const book = await callerFor(options).request<ClientBookAnswer>('GET', path);
  if (json && book.book_version.version === undefined) console.error(notRegistered);
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
  const status = version === undefined ? notRegistered : `${facts} facts, the last recorded at ${version}`;
  const credits = obligations.currencies ?? [obligations];
  return [
    `Client ${client_id} on ${on}: ${status}`,
    '',
    ...(loans.length === 0 ? ['no Loans'] : formatTable(columnsOf(loans))),
    '',
    `Owed back     ${credits.map(({ amount }) => formatMoney(amount)).join(', ')}`,
    `May apply     ${mayApply(bar, version !== undefined)}`,
    `Anomalies     ${anomalies.length === 0 ? 'none' : anomalies.map(({ kind }) => kind).join(', ')}`,
  ].join('\n');
}

function mayApply(bar: BarAnswer, isRegistered: boolean): string {
  if (bar.barred) return `no, barred until ${bar.lifts_on} by Decision ${bar.decision}`;
  return isRegistered ? 'yes' : 'no, it must be registered first';
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
