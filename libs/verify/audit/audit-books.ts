/** Audits books page by page: each page is read in one snapshot, and folded and decided after it has ended. */
import type { Queryable } from '#libs/database/database.ts';
import { auditBook, compareTenancyRows, readTenancyRows, type TenancyRows } from './audit-book.ts';
import type { BookAuditContext, StoredBook } from './audit-context.ts';
import type { Pacer } from './part-runner.ts';
import {
  type BookPage,
  bookLabel,
  pagesBySize,
  readBookPage,
  readCachedBooks,
  type SizedBook,
} from './read-stored-books.ts';
import type { StoredBooks } from './stored-audit.ts';
import type { CheckedRequest } from './stored-requests.ts';

interface PageWithRequests {
  readonly page: BookPage;
  readonly requests: ReadonlyMap<string, CheckedRequest>;
  readonly signatures: number;
}

export async function auditClientBooks(
  stored: StoredBooks,
  audit: BookAuditContext,
  books: readonly SizedBook[],
  pacer: Pacer,
): Promise<void> {
  for (const names of pagesBySize(books)) {
    const page = await stored.readSnapshot(async (database) =>
      withRequests(database, stored, await readBookPage(database, names)),
    );
    for (const book of await storedBooks(stored, audit, page)) await auditBook(audit, book, pacer);
    await pacer.pause();
  }
}

/** The books of Tenancies, with the tables derived from them. They hold the keys for all signatures. */
export async function auditTenancyBooks(
  stored: StoredBooks,
  audit: BookAuditContext,
  books: readonly SizedBook[],
  pacer: Pacer,
): Promise<void> {
  for (const names of pagesBySize(books)) {
    const { page, rows } = await stored.readSnapshot(async (database) => {
      const read = await readBookPage(database, names);
      // Requests of a Tenancy's book may be signed with keys of the same book.
      for (const row of read.books) stored.keys.addBook(row, read.facts.get(bookLabel(row)) ?? []);
      const derivedRows = new Map<string, TenancyRows>();
      for (const { tenant_id } of names) derivedRows.set(tenant_id, await readTenancyRows(database, tenant_id));
      return { page: await withRequests(database, stored, read), rows: derivedRows };
    });
    for (const book of await storedBooks(stored, audit, page)) {
      const audited = await auditBook(audit, book, pacer);
      const { tenant_id: tenantId } = book.row;
      if (audited === undefined) continue;
      compareTenancyRows(tenantId, rows.get(tenantId) ?? new Map(), audited.derived, audit.findings);
    }
    await pacer.pause();
  }
}

async function withRequests(database: Queryable, { requests }: StoredBooks, page: BookPage): Promise<PageWithRequests> {
  const names = page.books.flatMap((row) => page.facts.get(bookLabel(row)) ?? []);
  return { page, ...(await requests.load(database, names)) };
}

async function storedBooks(
  { cache }: StoredBooks,
  { counts }: BookAuditContext,
  { page, requests, signatures }: PageWithRequests,
): Promise<StoredBook[]> {
  counts.signatures += signatures;
  const cachedBooks = cache === undefined ? [] : await readCachedBooks(cache, page.books);
  return page.books.map((row, index) => ({
    row,
    facts: page.facts.get(bookLabel(row)) ?? [],
    loans: page.loans.get(bookLabel(row)) ?? [],
    dueSpans: page.dueSpans.get(bookLabel(row)) ?? [],
    requests,
    cached: cachedBooks[index],
  }));
}
