/** Books that wait for a person: which, with what, and letting them go on. */
import { isIdentifier } from '#libs/contract/form.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { isBookId } from '#libs/turn/book-id.ts';
import { type Administering, administered, settled } from './administered.ts';
import { must, text, texts, UsageError } from './command.ts';

export const listParked = administered({
  usage: 'book parked [TENANCY]',
  what: 'lists the books that are parked, what waits with each in its order, and what broke',
  act: async (administration, { positionals: [tenantId] }) => {
    const books = await administration.parkedBooks(tenantId);
    return books.map((book) => ({
      tenant_id: book.tenantId,
      book_id: book.bookId,
      submissions: book.submissions.map(({ place, parkedAt, requestId, operation, reference, fault }) => ({
        place,
        parked_at: parkedAt.toISOString(),
        request_id: requestId,
        operation,
        reference,
        ...(fault === null ? {} : { fault }),
      })),
    }));
  },
});

export const releaseBook = administered({
  usage: 'book release TENANCY BOOK --basis TEXT [--drop PLACE]...',
  what: 'lets a parked book go on: what waits with it is decided anew in its order, but for what is dropped',
  more: `BOOK is c/ and the Client, or t for the Tenancy's own; PLACE as book parked tells it.
What waits is decided by the book as it is then, however long ago it was sent; its callers were answered 500 and may have
sent it again, which its reference makes safe. What carries no reference (a new product configuration) is better dropped
where its caller has sent it again since. What breaks again parks the book again, with all that stands behind it: exit 1.
Who released it, why, and what was dropped is a fact of the book.`,
  options: { basis: 'text', drop: 'texts' },
  act: released,
});

type Released = { readonly released: boolean };

async function released(
  administration: Administration,
  { positionals: [tenantId, bookId], options, actor }: Administering,
): Promise<unknown> {
  const book = { tenantId: must(tenantId, 'TENANCY'), bookId: must(bookId, 'BOOK') };
  if (!isIdentifier(book.tenantId)) throw new UsageError('a Tenancy is 1 to 64 letters, digits, - and _');
  if (!isBookId(book.bookId)) throw new UsageError('BOOK is c/ and the Client, or t');
  const basis = must(text(options['basis']), '--basis TEXT');
  const done = settled(await administration.releaseBook(actor, book, { basis, drop: texts(options['drop']) }));
  if (!(done as unknown as Released).released) process.exitCode = 1;
  return done;
}
