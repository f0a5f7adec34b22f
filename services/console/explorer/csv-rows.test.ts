/** The rows of downloads: each has as many cells as there are columns, in their order. */
import { expect, test } from '@jest/globals';
import type { LoanPage, LoanStatement, Money, ReceiptPage } from '#libs/sdk/src/contract/shapes.ts';
import type { CsvValue } from '../csv.ts';
import { loanColumns, loanRows } from './loans/loans-csv.ts';
import { receiptColumns, receiptRows } from './receipts/receipts-csv.ts';
import { statementColumns, statementRows } from './statement-csv.ts';

const mxn = (minor_units: number): Money => ({ minor_units, currency: 'MXN' });

/** Without the empty cells. */
function recordsOf(columns: readonly string[], rows: readonly (readonly CsvValue[])[]) {
  return rows.map((row) => {
    expect(row).toHaveLength(columns.length);
    const cells = columns.map((column, index) => [column, row[index]] as const);
    return Object.fromEntries(cells.filter(([, value]) => value !== undefined && value !== ''));
  });
}

test('the lines of a statement are between what was owed before and what is owed at the end', () => {
  const line = { on: '2026-02-15', kind: 'received', charge: 'interest', period: 1 };
  const amounts = { amount: mxn(310_00), tax: mxn(49_60), total: mxn(359_60) };
  const fact = { type: 'receipt', id: 'r/1' } as const;
  const range = { from: '2026-02-01', to: '2026-02-28', opening: mxn(1_000_00), closing: mxn(640_40) };
  const loan = { id: 'id', reference: 'loan-1', currency: 'MXN', ...range, lines: [{ ...line, ...amounts, fact }] };
  const named = { loan_id: 'id', loan_reference: 'loan-1', currency: 'MXN' };
  expect(recordsOf(statementColumns, statementRows([loan as unknown as LoanStatement]))).toEqual([
    { ...named, on: '2026-02-01', movement: 'opening', total: '1000.00' },
    {
      ...{ ...named, on: '2026-02-15', movement: 'received', charge: 'interest', period: 1 },
      ...{ amount: '310.00', tax: '49.60', total: '359.60', fact_type: 'receipt', fact_id: 'r/1' },
    },
    { ...named, on: '2026-02-28', movement: 'closing', total: '640.40' },
  ]);
});

test('a Loan has its terms and what was paid; one whose book cannot be computed has what is recorded, and why', () => {
  const recorded = { id: 'id', reference: 'loan-1', client_id: 'ada', configuration: { id: 'ins-1', version: 2 } };
  const terms = { principal: mxn(100_00), term_periods: 12, rate: '36', fee: mxn(0), penalty_rate: '72' };
  const listed = { ...recorded, ...terms, anchor: '2026-01-15', state: 'active' };
  const known = { ...listed, paid: mxn(5_00), settled_periods: 1, remaining_periods: 11, anomalies: [] };
  const unknown = { ...recorded, state: 'active', anomalies: [{ kind: 'book_not_derivable', facts: [], detail: '' }] };
  const named = { loan_id: 'id', reference: 'loan-1', client_id: 'ada', product: 'ins-1', product_version: 2 };
  const loans = [known, unknown] as unknown as LoanPage['loans'];
  expect(recordsOf(loanColumns, loanRows({ loans }))).toEqual([
    {
      ...{ ...named, state: 'active', currency: 'MXN', principal: '100.00', paid: '5.00', term_periods: 12 },
      ...{ settled_periods: 1, remaining_periods: 11, rate: '36', penalty_rate: '72', fee: '0.00' },
      anchor: '2026-01-15',
    },
    { ...named, state: 'active', note: 'book_not_derivable' },
  ]);
});

test('a Receipt has the reference of its provider, and its reversal', () => {
  const receipt = { reference: 'r/1', client_id: 'ada', amount: mxn(1_050_00), value_date: '2026-02-15' };
  const report = { rail: 'bank_transfer', provider_reference: 'spei-7', payoff_intent: false, reported_at: 'then' };
  const reversal = { reversed_at: 'later', reversal: { reason: 'chargeback', reference: 'back-1' } };
  const receipts = [{ ...receipt, ...report, ...reversal }] as unknown as ReceiptPage['receipts'];
  expect(recordsOf(receiptColumns, receiptRows({ receipts }))).toEqual([
    {
      ...{ reference: 'r/1', client_id: 'ada', value_date: '2026-02-15', currency: 'MXN', amount: '1050.00' },
      ...{ rail: 'bank_transfer', provider_reference: 'spei-7', payoff_intent: 'false', reported_at: 'then' },
      ...{ reversed_at: 'later', reversal_reason: 'chargeback', reversal_reference: 'back-1' },
    },
  ]);
});
