/** `lending book`: lists parked books and releases them. */
import { type Command, InvalidArgumentError } from 'commander';
import { isBookId } from '#libs/ledger/book-id.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { type AdminOptions, addAdminOptions, administer, requireAdmitted } from './admin-command.ts';
import { collect, parseTenancyId } from './command.ts';

type ReleaseOptions = AdminOptions & { readonly basis: string; readonly drop: readonly string[] };

export function addBookCommands(program: Command): void {
  const book = program.command('book').description('list and release parked books');
  const parked = book
    .command('parked')
    .description('list the parked books, the submissions that wait in each, and the error that parked it')
    .argument('[tenancy]', 'only the books of this Tenancy', parseTenancyId);
  addAdminOptions(parked).action((tenantId: string | undefined, options: AdminOptions) =>
    administer(options, (administration) => listParkedBooks(administration, tenantId)),
  );
  const release = book
    .command('release')
    .description('release a parked book: its waiting submissions are decided in their order')
    .argument('<tenancy>', 'the Tenancy of the book', parseTenancyId)
    .argument('<book>', "c/ and the Client's id, or t for the Tenancy's own book", parseBookId)
    .requiredOption('--basis <text>', 'why it is released; recorded with the actor as a fact of the book')
    .option('--drop <place>', 'a submission to leave out, as book parked lists it; repeatable', collect, [])
    .addHelpText('after', releaseHelp);
  addAdminOptions(release).action((tenantId: string, bookId: string, options: ReleaseOptions) =>
    administer(options, (administration) => releaseBook(administration, { tenantId, bookId }, options)),
  );
}

const releaseHelp = `
The submissions are decided against the book as it is now, however long ago they were sent. Their callers were answered
500 and may have sent them again, which the reference of a submission makes safe. Drop a submission without a reference,
such as a new product configuration, if its caller has sent it again.

A submission that fails again parks the book again, with everything behind it: exit code 1. Many submissions are decided
in several releases. Where that stops early, "left" is how many still wait and "stopped" says why (exit code 1): run the
same command again to continue.`;

function parseBookId(value: string): string {
  if (isBookId(value)) return value;
  throw new InvalidArgumentError("Expected c/ and the Client's id, or t.");
}

async function listParkedBooks(administration: Administration, tenantId: string | undefined): Promise<unknown> {
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
}

/** The result of one release. */
interface ReleaseResult {
  readonly released: boolean;
  /** How many submissions still wait. */
  readonly left: number;
  readonly submissions: readonly { readonly place: string; readonly came_to: string }[];
}

async function releaseBook(
  administration: Administration,
  book: { readonly tenantId: string; readonly bookId: string },
  { actor, basis, drop }: ReleaseOptions,
): Promise<unknown> {
  const release = async (dropped: readonly string[]): Promise<ReleaseResult> =>
    parseReleaseResult(requireAdmitted(await administration.releaseBook(actor, book, { basis, drop: dropped })));
  const result = await releaseUntilEmpty(release, drop);
  if (!result.released) process.exitCode = 1;
  return { book_id: book.bookId, ...result };
}

function parseReleaseResult(record: Readonly<Record<string, unknown>>): ReleaseResult {
  const { released, left, submissions } = record as Partial<ReleaseResult>;
  if (typeof released !== 'boolean' || typeof left !== 'number' || !Array.isArray(submissions)) {
    throw new Error(`unexpected answer to a release: ${JSON.stringify(record)}; expected released, left, submissions`);
  }
  return { released, left, submissions };
}

/** Repeats the release until no submission waits. An error after the first release is returned with its results. */
export async function releaseUntilEmpty(
  release: (drop: readonly string[]) => Promise<ReleaseResult>,
  drop: readonly string[],
): Promise<ReleaseResult & { readonly stopped?: string }> {
  let { submissions, ...state } = await release(drop);
  const remainingDrops = new Set(drop);
  let last = submissions;
  while (state.left > 0 && last.every(({ came_to }) => came_to !== 'parked')) {
    for (const { place } of last) remainingDrops.delete(place);
    try {
      ({ submissions: last, ...state } = await release([...remainingDrops]));
    } catch (cause) {
      return { ...state, submissions, stopped: cause instanceof Error ? cause.message : String(cause) };
    }
    submissions = [...submissions, ...last];
  }
  return { ...state, submissions };
}
