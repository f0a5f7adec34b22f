/** The Receipts of a Client as CSV, a row for each. */
import type { ReceiptPage } from '#libs/sdk/src/contract/shapes.ts';
import { decimalText } from '../../amounts.ts';
import type { CsvValue } from '../../csv.ts';

export const receiptColumns = [
  ...['reference', 'client_id', 'value_date', 'currency', 'amount', 'rail', 'provider_reference'],
  ...['designated_loan_id', 'payoff_intent', 'reported_at', 'reversed_at', 'reversal_reason', 'reversal_reference'],
];

export function receiptRows({ receipts }: Pick<ReceiptPage, 'receipts'>): readonly (readonly CsvValue[])[] {
  return receipts.map(({ amount, reversal, ...receipt }) => [
    ...[receipt.reference, receipt.client_id, receipt.value_date, amount.currency, decimalText(amount), receipt.rail],
    ...[receipt.provider_reference, receipt.designated_loan_id, String(receipt.payoff_intent), receipt.reported_at],
    ...[receipt.reversed_at, reversal?.reason, reversal?.reference],
  ]);
}
