import { expect, test } from '@jest/globals';
import type { ListedLoan } from '#libs/database/read-loans.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { calendarsOf } from '#libs/product/markets/registry.ts';
import { deriveLoanRows, loadPageBooks } from './load-page-books.ts';
import type { BookRequest, ReadContext } from './read-context.ts';

const request = { tenancy: { id: 'acme' }, timing: new RequestTiming() } as unknown as BookRequest;

/** A page of Clients with the same book of one Loan each, of which a portion is one book; and what happens in its order. */
function testPage(clientIds: readonly string[]) {
  const clientBook = new TestClientBook();
  clientBook.register();
  const loanId = String(clientBook.issue('loan-1')['id']);
  const { book } = clientBook;
  const events: string[] = [];
  const context = {
    books: {
      async *loadAtPositions(keys: readonly { bookId: string }[]) {
        for (const { bookId } of keys) {
          events.push(`load ${bookId}`);
          try {
            yield [{ book: { ...book, clientId: bookId.slice('c/'.length) } }];
          } finally {
            events.push(`free ${bookId}`);
          }
        }
      },
    },
    calendars: calendarsOf(),
  } as unknown as ReadContext;
  const loans = clientIds.map((clientId, number) => {
    return { number, loanId, clientId, state: 'active', sequence: book.sequence, recordedAt: 1 };
  }) as unknown as ListedLoan[];
  return { context, loans, events };
}

test('rows are derived from a portion before the next is loaded, and are answered in the order of the page', async () => {
  const { context, loans, events } = testPage(['ada', 'bob', 'ada', 'cy']);
  const rows = await deriveLoanRows(
    context,
    request,
    { loans },
    {
      rowOf: ({ clientId }) => {
        events.push(`derive c/${clientId}`);
        return () => clientId;
      },
      underivableRow: () => 'underivable',
    },
  );
  expect(rows).toEqual(['ada', 'bob', 'ada', 'cy']);
  expect(events).toEqual(['ada', 'bob', 'cy'].flatMap((id) => [`load c/${id}`, `derive c/${id}`, `free c/${id}`]));
});

test('a page that ends early frees its books and loads no more', async () => {
  const { context, loans, events } = testPage(['ada', 'bob']);
  for await (const _books of loadPageBooks(context, request, loans)) break;
  expect(events).toEqual(['load c/ada', 'free c/ada']);
});
