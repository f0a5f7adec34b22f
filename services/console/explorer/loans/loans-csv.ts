/** The listing of Loans as CSV, a row for each. */
import type { LoanPage, Money } from '#libs/sdk/src/contract/shapes.ts';
import { decimalText } from '../../amounts.ts';
import type { CsvValue } from '../../csv.ts';

export const loanColumns = [
  ...['loan_id', 'reference', 'client_id', 'merchant_ref', 'product', 'product_version', 'state', 'currency'],
  ...['principal', 'paid', 'term_periods', 'settled_periods', 'remaining_periods', 'rate', 'penalty_rate', 'fee'],
  ...['anchor', 'written_off_on', 'note'],
];

const amount = (money: Money | undefined): string | undefined => money && decimalText(money);

/** Of a Loan whose book cannot be computed only what is recorded of it is known. */
export function loanRows({ loans }: Pick<LoanPage, 'loans'>): readonly (readonly CsvValue[])[] {
  return loans.map((loan) => {
    const known = 'paid' in loan ? loan : undefined;
    const { configuration, principal, anomalies } = loan;
    return [
      ...[loan.id, loan.reference, loan.client_id, loan.merchant_ref, configuration.id, configuration.version],
      ...[loan.state, principal?.currency, amount(principal), amount(known?.paid), loan.term_periods],
      ...[known?.settled_periods, known?.remaining_periods, loan.rate, loan.penalty_rate, amount(loan.fee)],
      ...[loan.anchor, known?.written_off_on, anomalies.map(({ kind }) => kind).join(' ')],
    ];
  });
}
