import { expect, jest, test } from '@jest/globals';
import type { ListedLoan } from '#libs/database/read-loans.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { calendarsOf } from '#libs/product/markets/registry.ts';
import { loadLoanBooks } from './load-page-books.ts';
import type { BookRequest, ReadContext } from './read-context.ts';

const request = { tenancy: { id: 'acme' }, timing: new RequestTiming() } as unknown as BookRequest;

/** A book with two active Loans, listed under the stored states. */
async function loadPage(storedStates: readonly string[], requestedState?: string, replayError?: unknown) {
  const clientBook = new TestClientBook();
  clientBook.register();
  const ids = storedStates.map((_, index) => String(clientBook.issue(`loan-${index}`)['id']));
  const { book } = clientBook;
  const error = jest.fn();
  const inc = jest.fn();
  const context = {
    books: {
      async *loadAtPositions() {
        yield [{ book, replayError }];
      },
    },
    calendars: calendarsOf(),
    logger: { error },
    loanStateMismatches: { inc },
  } as unknown as ReadContext;
  const loans = storedStates.map((state, index) => {
    return { number: index, loanId: ids[index], clientId: 'c-1', state, sequence: book.sequence, recordedAt: 1 };
  }) as unknown as ListedLoan[];
  const shown: string[] = [];
  for await (const books of loadLoanBooks(context, request, { loans, state: requestedState }))
    shown.push(...books.flatMap((ofBook) => ofBook.loans.map(({ loanId }) => loanId)));
  return { ids, shown, logged: error.mock.calls, counted: inc.mock.calls };
}

test('a Loan whose folded state was not requested is left out, logged and counted', async () => {
  const { ids, shown, logged, counted } = await loadPage(['closed', 'closed'], 'closed');
  expect(shown).toEqual([]);
  const mismatches = ids.map((loan_id) => ({ loan_id, client_id: 'c-1', stored: 'closed', folded: 'active' }));
  const event = { event: 'query.loan_state_mismatch', tenant_id: 'acme', loans: mismatches };
  expect(logged).toEqual([[event, expect.any(String)]]);
  expect(counted).toEqual([[2]]);
});

test('without a requested state a wrongly stored Loan stays in the page and is logged', async () => {
  const { ids, shown, logged } = await loadPage(['active', 'closed']);
  expect(shown).toEqual(ids);
  const [, loan_id] = ids;
  expect(logged).toMatchObject([[{ loans: [{ loan_id, stored: 'closed', folded: 'active' }] }, {}]]);
});

test('right states are neither logged nor counted', async () => {
  const { ids, shown, logged, counted } = await loadPage(['active', 'active'], 'active');
  expect({ shown, logged, counted }).toEqual({ shown: ids, logged: [], counted: [] });
});

test('a Loan whose book cannot be derived stays in the page: its state cannot be compared', async () => {
  const { ids, shown, logged } = await loadPage(['closed'], 'closed', new Error('a fact is missing'));
  expect({ shown, logged }).toEqual({ shown: ids, logged: [] });
});
