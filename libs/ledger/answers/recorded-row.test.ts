import { expect, test } from '@jest/globals';
import { type LoanByItself, recordedRow } from '#libs/ledger/answers/recorded-row.ts';
import type { LoanState } from '#libs/ledger/state.ts';

const loan: LoanByItself = {
  id: 'e5f0a7c4-6f5e-4b8e-9a43-6d1f6b1f2a10',
  reference: 'loan-1',
  tenantId: 'acme',
  clientId: 'c-1',
  configuration: { id: 'ins-000001', version: 3 },
  state: 'active',
};

test('a Loan of which not even the issuance is there is told by what the listing walks', () => {
  expect(recordedRow(loan)).toEqual({
    id: loan.id,
    reference: 'loan-1',
    tenant_id: 'acme',
    client_id: 'c-1',
    configuration: { id: 'ins-000001', version: 3 },
    state: 'active',
    owes: true,
    owed_to: 'tenant',
    anomalies: [{ kind: 'book_not_derivable', facts: [], detail: expect.any(String) }],
  });
});

test.each<[LoanState, object]>([
  ['active', { owes: true, owed_to: 'tenant' }],
  ['restructured', { owes: true, owed_to: 'tenant' }],
  ['ceded', { owes: true, owed_to: 'assignee' }],
  ['held', { owes: false }],
  ['closed', { owes: false }],
  ['rescinded', { owes: false }],
  // Receipts may have discharged it since, and it keeps its state.
  ['written_off', {}],
])('a %s Loan is said to owe what its state alone says', (state, owing) => {
  const { owes, owed_to } = recordedRow({ ...loan, state });
  expect(JSON.parse(JSON.stringify({ owes, owed_to }))).toEqual(owing);
});
