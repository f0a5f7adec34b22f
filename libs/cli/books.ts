/** `lending book`: lists parked books and releases them. */
import type { ParkedBook } from '#libs/database/parked-submissions.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { parseReleaseResult, type ReleaseResult, releaseUntilEmpty } from '#libs/submission/release-book.ts';
import { actorOf } from './actor.ts';
import { administer, readAdministration, requireAdmitted } from './admin-command.ts';
import type { ConfirmationOptions } from './command.ts';
import type { AdminOptions } from './commands/admin-options.ts';
import { confirm } from './confirm.ts';
import { type ProgressLine, withProgress } from './output/progress-line.ts';
import { requireTenancy } from './unknown-tenancy.ts';

export type ReleaseOptions = AdminOptions &
  ConfirmationOptions & { readonly basis: string; readonly drop: readonly string[] };

type BookName = { readonly tenantId: string; readonly bookId: string };

export function listParkedBooks(tenantId: string | undefined, options: AdminOptions): Promise<void> {
  return readAdministration(options, async (administration) => {
    if (tenantId !== undefined) await requireTenancy(administration, tenantId);
    return (await administration.parkedBooks(tenantId)).map(describeBook);
  });
}

function describeBook(book: ParkedBook) {
  return {
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
  };
}

export function releaseParkedBook(book: BookName, options: ReleaseOptions): Promise<void> {
  const { drop, dryRun = false, yes = false } = options;
  return administer(options, async (administration) => {
    if (dryRun) return planRelease(administration, book, drop);
    if (!yes) await confirm(releaseText(book, await planRelease(administration, book, drop)), options);
    return withProgress('submissions', (progress) => releaseBook(administration, book, { ...options, progress }));
  });
}

interface ReleasePlan {
  readonly book_id: string;
  readonly decided: readonly string[];
  readonly dropped: readonly string[];
  /** To be dropped, and not among those that wait. */
  readonly unknown: readonly string[];
}

async function planRelease(
  administration: Administration,
  { tenantId, bookId }: BookName,
  drop: readonly string[],
): Promise<ReleasePlan> {
  const book = (await administration.parkedBooks(tenantId)).find((parked) => parked.bookId === bookId);
  if (book === undefined)
    throw new Error(`the book ${bookId} of ${tenantId} is not parked; lending book parked lists all`);
  const places = book.submissions.map(({ place }) => place);
  return {
    book_id: bookId,
    decided: places.filter((place) => !drop.includes(place)),
    dropped: drop,
    unknown: drop.filter((place) => !places.includes(place)),
  };
}

const maxPlacesShown = 20;

function releaseText({ tenantId, bookId }: BookName, { decided, dropped }: ReleasePlan): string {
  const shown = decided.slice(0, maxPlacesShown).map((place) => `\n  ${place}`);
  const more = decided.length > maxPlacesShown ? [`\n  and ${decided.length - maxPlacesShown} more`] : [];
  return [
    `The book ${bookId} of ${tenantId} is released. Submissions that are decided now, and recorded for good: ${decided.length}`,
    ...shown,
    ...more,
    `\nSubmissions that are dropped for good: ${dropped.length}`,
    ...dropped.map((place) => `\n  ${place}`),
  ].join('');
}

async function releaseBook(
  administration: Administration,
  book: BookName,
  options: ReleaseOptions & { readonly progress: ProgressLine },
): Promise<unknown> {
  const { basis, drop, progress } = options;
  let decided = 0;
  const release = async (dropped: readonly string[]): Promise<ReleaseResult> => {
    const answer = await administration.releaseBook(actorOf(options), book, { basis, drop: dropped });
    const result = parseReleaseResult(requireAdmitted(answer));
    decided += result.submissions.length;
    progress.set(decided, decided + result.left);
    return result;
  };
  const result = await releaseUntilEmpty(release, drop);
  if (!result.released) process.exitCode = 1;
  return { book_id: book.bookId, ...result };
}
