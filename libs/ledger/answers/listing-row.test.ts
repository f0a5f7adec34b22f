import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arbitraryBook } from '#test/properties/books/arbitrary-book.ts';
import { keepBook } from '#test/properties/production.ts';
import { listingRow } from './listing-row.ts';
import { loanAnswer } from './loan.ts';

const dates = { closed: 'closed_on', ceded: 'ceded_on', written_off: 'written_off_on' } as const;

test("a Loan's row never says anything else than its own read, and dates the state it is in and no other", () => {
  fc.assert(
    fc.property(arbitraryBook(), (input) => {
      const { book } = keepBook(input);
      for (const [order] of book.loans.entries()) {
        const row = listingRow(book, order, { tenantId: 'acme', clientId: 'c' });
        const read = loanAnswer(book, order, 'acme') as unknown as { readonly [member: string]: unknown };
        for (const [member, said] of Object.entries(row)) {
          if (Object.hasOwn(read, member)) expect({ [member]: said }).toEqual({ [member]: read[member] });
        }
        const dated = Object.entries(dates).filter(([, member]) => Object.hasOwn(row, member));
        expect(dated.map(([state]) => state)).toEqual(row.state in dates ? [row.state] : []);
        expect(row.owes).toBe(row.owed_to !== undefined);
      }
    }),
    { numRuns: 100, seed: 20261121 },
  );
});
