/** Dues as CSV: a row for each Loan with something due, as the API answers it. */
import type { ClientDues, DueLoan, DuesPage, Money, Owed } from '#libs/sdk/src/contract/shapes.ts';
import { decimalText } from '../amounts.ts';
import type { CsvValue } from '../csv.ts';

const charges = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;

export const dueColumns = [
  ...['on', 'client_id', 'loan_id', 'reference', 'currency', 'overdue'],
  ...charges.map((charge) => `overdue_${charge}`),
  ...['late', 'days_past_due', 'next_due_on', 'next_instalment', 'note'],
];

/** Amounts include tax, in units of their currency with a decimal point. */
export function dueRows({ on, clients }: Pick<DuesPage, 'on' | 'clients'>): readonly (readonly CsvValue[])[] {
  return clients.flatMap((client) => rowsOf(on, client));
}

function rowsOf(on: string, { client_id, loans, anomalies }: ClientDues): readonly (readonly CsvValue[])[] {
  if (loans.length > 0) return loans.map((loan) => rowOf(on, client_id, loan));
  const note = anomalies?.map(({ kind }) => kind).join(' ');
  const stated = new Map<string, CsvValue>([
    ['on', on],
    ['client_id', client_id],
    ['note', note],
  ]);
  return [dueColumns.map((column) => stated.get(column))];
}

function rowOf(on: string, clientId: string, loan: DueLoan): readonly CsvValue[] {
  const { overdue, late, instalment } = loan;
  return [
    ...[on, clientId, loan.loan_id, loan.reference, overdue.total.currency, decimalText(overdue.total)],
    ...charges.map((charge) => chargeText(overdue, charge)),
    ...[late && decimalText(late.owed.total), late?.worst_days_past_due],
    ...[instalment?.due_on, instalment && decimalText(instalment.owed.total)],
    undefined,
  ];
}

/** The answer leaves out charges that are zero. */
function chargeText({ total: { currency }, charges: owed }: Owed, charge: string): string {
  const zero: Money = { minor_units: 0, currency };
  return decimalText(owed.find((line) => line.charge === charge)?.total ?? zero);
}
