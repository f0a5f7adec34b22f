/** A Client on a day as a person reads it: every Loan in a line, what is owed back, whether it may apply. */

import type { BarAnswer } from '#libs/credit/bar.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import type { Obligations } from '#libs/ledger/answers/obligations.ts';
import type { LoanOptions } from '#libs/ledger/answers/payment-options.ts';
import { type Column, inColumns } from '../columns.ts';
import { inMajorUnits } from '../currency.ts';

/** What of a Client's book is shown. */
export type ShownClient = {
  readonly client_id: string;
  readonly on: string;
  readonly book_version: { readonly version?: string; readonly facts: number };
  readonly loans: readonly { readonly loan: LoanAnswer; readonly payment_options: LoanOptions }[];
  readonly obligations: Obligations;
  readonly bar: BarAnswer;
  readonly anomalies: readonly { readonly kind: string }[];
};

/** Said where the book holds no fact, for nothing befalls a Client before the registration. */
export const nobodyRegistered = 'nobody registered this Client';

/** Longer references are cut: `loan show` says them whole. */
const longestReference = 24;

export function clientTable({ client_id, on, book_version, loans, obligations, bar, anomalies }: ShownClient): string {
  const { version, facts } = book_version;
  const known = version === undefined ? nobodyRegistered : `${facts} facts, the last of ${version}`;
  const back = obligations.currencies ?? [obligations];
  return [
    `Client ${client_id} on ${on}: ${known}`,
    '',
    ...(loans.length === 0 ? ['no Loans'] : inColumns(columnsOf(loans))),
    '',
    `Owed back     ${back.map(({ amount }) => sum(amount)).join(', ')}`,
    `May apply     ${mayApply(bar, version !== undefined)}`,
    `Anomalies     ${anomalies.length === 0 ? 'none' : anomalies.map(({ kind }) => kind).join(', ')}`,
  ].join('\n');
}

function mayApply(bar: BarAnswer, isRegistered: boolean): string {
  if (bar.barred) return `not before ${bar.lifts_on}, by decision ${bar.decision}`;
  return isRegistered ? 'yes' : 'not before it is registered';
}

function columnsOf(loans: ShownClient['loans']): Column[] {
  const of = (cell: (shown: ShownClient['loans'][number]) => string): string[] => loans.map(cell);
  const text = { isText: true };
  return [
    { title: 'loan', cells: of(({ payment_options }) => cut(payment_options.reference)), ...text },
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

type Money = Obligations['amount'];

function figure({ minor_units, currency }: Money): string {
  return inMajorUnits(minor_units, currency);
}

function sum(money: Money): string {
  return `${figure(money)} ${money.currency}`;
}

function cut(reference: string): string {
  const letters = [...reference];
  return letters.length <= longestReference ? reference : `${letters.slice(0, longestReference - 1).join('')}…`;
}
