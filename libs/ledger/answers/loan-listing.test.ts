import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type UnderivableLoan, underivableLoanRow } from '#libs/ledger/answers/loan-listing.ts';
import type { LoanState } from '#libs/ledger/loan-state.ts';
import { buildProductionBook } from '#test/properties/production-fold.ts';
import { arbitraryBook } from '#test/properties/random-book/random-book.ts';
import { loanAnswer } from './loan.ts';
import { loanListingRow } from './loan-listing.ts';

const dates = { closed: 'closed_on', ceded: 'ceded_on', written_off: 'written_off_on' } as const;

test("a Loan's listing row agrees with its own read, and states only the date of its current state", () => {
  fc.assert(
    fc.property(arbitraryBook(), (input) => {
      const { book } = buildProductionBook(input);
      for (const [order] of book.loans.entries()) {
        const row = loanListingRow(book, order, { tenantId: 'acme', clientId: 'c' });
        const read = loanAnswer(book, order, 'acme') as { readonly [member: string]: unknown };
        for (const [member, value] of Object.entries(row)) {
          if (Object.hasOwn(read, member)) expect({ [member]: value }).toEqual({ [member]: read[member] });
        }
        const dated = Object.entries(dates).filter(([, member]) => Object.hasOwn(row, member));
        expect(dated.map(([state]) => state)).toEqual(row.state in dates ? [row.state] : []);
        expect(row.owes).toBe(row.owed_to !== undefined);
      }
    }),
    { numRuns: 100, seed: 20261121 },
  );
});

const loan: UnderivableLoan = {
  id: 'e5f0a7c4-6f5e-4b8e-9a43-6d1f6b1f2a10',
  reference: 'loan-1',
  tenantId: 'acme',
  clientId: 'c-1',
  configuration: { id: 'ins-000001', version: 3 },
  state: 'active',
};

test('a Loan whose issuance cannot be read either is listed with what the listing stores', () => {
  expect(underivableLoanRow(loan)).toEqual({
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
  // Receipts may have discharged it, and its state stays the same.
  ['written_off', {}],
])('a %s Loan owes what its state alone shows', (state, owing) => {
  const { owes, owed_to } = underivableLoanRow({ ...loan, state });
  expect(JSON.parse(JSON.stringify({ owes, owed_to }))).toEqual(owing);
});
