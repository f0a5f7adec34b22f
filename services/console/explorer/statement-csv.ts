/** The lines of a statement as CSV, of one Loan or of all Loans of a Client. */
import type { LoanStatement } from '#libs/sdk/src/contract/shapes.ts';
import { decimalText } from '../amounts.ts';
import type { CsvValue } from '../csv.ts';

export const statementColumns = [
  ...['loan_id', 'loan_reference', 'on', 'movement', 'charge', 'period', 'currency', 'amount', 'tax', 'total'],
  ...['fact_type', 'fact_id'],
];

type StatedLoan = Pick<
  LoanStatement,
  'id' | 'reference' | 'currency' | 'opening' | 'closing' | 'from' | 'to' | 'lines'
>;

/** The lines of each Loan between what was owed before and what is owed at the end. */
export function statementRows(loans: readonly StatedLoan[]): readonly (readonly CsvValue[])[] {
  return loans.flatMap(({ id, reference, currency, from, to, opening, closing, lines }) => {
    const balance = (on: string, movement: string, amount: StatedLoan['opening']): readonly CsvValue[] => [
      ...[id, reference, on, movement, undefined, undefined, currency, undefined, undefined, decimalText(amount)],
      ...[undefined, undefined],
    ];
    return [
      balance(from, 'opening', opening),
      ...lines.map(({ on, kind, charge, period, amount, tax, total, fact }) => [
        ...[id, reference, on, kind, charge, period, currency],
        ...[decimalText(amount), decimalText(tax), decimalText(total), fact?.type, fact?.id],
      ]),
      balance(to, 'closing', closing),
    ];
  });
}
