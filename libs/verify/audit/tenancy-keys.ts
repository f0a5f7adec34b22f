/** The keys of every Tenancy as its own book records them. */
import type { Moment } from '#libs/calendar/moment.ts';
import type { DeciderFor } from '#libs/database/books.ts';
import { type Database, type Queryable, query } from '#libs/database/database.ts';
import type { KeyRow } from '#libs/ledger/book-decider.ts';
import { type AuditBookRow, type AuditFactRow, bookLabel, readBookPage, type SizedBook } from './read-stored-books.ts';
import type { RecordedKey } from './request-signature.ts';

interface TenancyKey extends RecordedKey {
  readonly scope: string;
}

interface SigningKey {
  readonly tenant_id: string;
  readonly fp: string | null;
}

const sequencesText = `
  SELECT tenant_id, book_id, sequence FROM books WHERE book_id = 't' AND tenant_id = ANY ($1::text[])`;

export class TenancyKeys {
  readonly #deciderFor: DeciderFor;
  readonly #others: readonly Database[];
  readonly #keys = new Map<string, TenancyKey>();
  /** By Tenancy, how many facts of its book are known. */
  readonly #sequences = new Map<string, number>();

  /** `others`: further databases of the cell, on which the books of Tenancies may be. */
  constructor(deciderFor: DeciderFor, others: readonly Database[] = []) {
    this.#deciderFor = deciderFor;
    this.#others = others;
  }

  get(tenantId: string, fp: string): TenancyKey | undefined {
    return this.#keys.get(`${tenantId}/${fp}`);
  }

  /** Adds the keys that the facts of this book register. */
  addBook(row: AuditBookRow, facts: readonly AuditFactRow[]): void {
    const { tenant_id: tenantId, book_id: bookId } = row;
    const decider = this.#deciderFor(bookId);
    const empty = decider.empty(tenantId, bookId);
    let book = empty;
    try {
      for (const { sequence, kind, body, recorded_at } of facts) {
        book = decider.replay(book, { sequence, kind, body, recordedAt: recorded_at as Moment });
      }
    } catch {
      // auditBook reports the fact that cannot be folded.
    }
    for (const key of decider.derive(empty, book).keys ?? []) this.#add(tenantId, key);
    this.#sequences.set(tenantId, row.sequence);
  }

  /** Reads the books of Tenancies again that may have registered one of these keys since they were read. */
  async findUnknown(database: Queryable, signingKeys: readonly SigningKey[]): Promise<void> {
    for (const each of [database, ...this.#others]) {
      const unknown = signingKeys.filter(({ tenant_id, fp }) => fp !== null && this.get(tenant_id, fp) === undefined);
      if (unknown.length === 0) return;
      await this.#readAgain(each, unknown);
    }
  }

  async #readAgain(database: Queryable, unknown: readonly SigningKey[]): Promise<void> {
    const tenantIds = [...new Set(unknown.map(({ tenant_id }) => tenant_id))];
    const books = await query<SizedBook>(database, 'audited_tenancy_sequences', sequencesText, [tenantIds]);
    const changed = books.filter(({ tenant_id, sequence }) => sequence !== this.#sequences.get(tenant_id));
    if (changed.length === 0) return;
    const { books: rows, facts } = await readBookPage(database, changed);
    for (const row of rows) this.addBook(row, facts.get(bookLabel(row)) ?? []);
  }

  #add(tenantId: string, { fp, publicKey, scope, createdAt, revokedAt }: KeyRow): void {
    this.#keys.set(`${tenantId}/${fp}`, { publicKey: Buffer.from(publicKey, 'hex'), scope, createdAt, revokedAt });
  }
}
