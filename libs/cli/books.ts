/** Books that wait for a person: which, with what, and letting them go on. */

import { isBookId } from '#libs/ledger/book-id.ts';
import { isIdentifier } from '#libs/schema/form.ts';
import type { Administration } from '#libs/submission/administration.ts';
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
However much waits, it is decided a portion at a time, each by a release of its own, until nothing is left. Where that
stops early, \`left\` says how much waits still and \`stopped\` why (exit 1): the same command goes on from there.
Who released it, why, and what was to be dropped is a fact of the book.`,
  options: { basis: 'text', drop: 'texts' },
  act: released,
});

/** What one release came to. */
interface Portion {
  readonly released: boolean;
  /** With the book still. */
  readonly left: number;
  readonly submissions: readonly { readonly place: string; readonly came_to: string }[];
}

async function released(
  administration: Administration,
  { positionals: [tenantId, bookId], options, actor }: Administering,
): Promise<unknown> {
  const book = { tenantId: must(tenantId, 'TENANCY'), bookId: must(bookId, 'BOOK') };
  if (!isIdentifier(book.tenantId)) throw new UsageError('a Tenancy is 1 to 64 letters, digits, - and _');
  if (!isBookId(book.bookId)) throw new UsageError('BOOK is c/ and the Client, or t');
  const basis = must(text(options['basis']), '--basis TEXT');
  const release = async (drop: readonly string[]): Promise<Portion> =>
    settled(await administration.releaseBook(actor, book, { basis, drop })) as unknown as Portion;
  const done = await inPortions(release, texts(options['drop']));
  if (!done.released) process.exitCode = 1;
  return { book_id: book.bookId, ...done };
}

/** What was decided is told, whatever becomes of what is left. */
export async function inPortions(
  release: (drop: readonly string[]) => Promise<Portion>,
  drop: readonly string[],
): Promise<Portion & { readonly stopped?: string }> {
  let { submissions, ...done } = await release(drop);
  const places = new Set(drop);
  for (let portion = submissions; done.left > 0 && portion.every(({ came_to }) => came_to !== 'parked'); ) {
    for (const { place } of portion) places.delete(place);
    try {
      ({ submissions: portion, ...done } = await release([...places]));
    } catch (cause) {
      return { ...done, submissions, stopped: cause instanceof Error ? cause.message : String(cause) };
    }
    submissions = [...submissions, ...portion];
  }
  return { ...done, submissions };
}
