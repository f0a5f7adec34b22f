/** Loads long books in the background, so that a page can say at once that it waits for one. */
import { LRUCache } from 'lru-cache';
import { type BookKey, bookKeyText } from '#libs/database/books.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import type { ReadContext } from './read-context.ts';

/** A book with so many facts is loaded within about a tenth of a second. */
const maxQuickFacts = 500;
/** So long a page may read a book that was loaded but does not fit in memory, or that cannot be loaded. */
const attemptLastsMs = 60_000;

export class BookPreparation {
  readonly #context: ReadContext;
  readonly #attempts = new LRUCache<string, { isEnded: boolean }>({ max: 1_000, ttl: attemptLastsMs });

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** False while the Client's book is loaded, which the first call begins. A read would wait for it. */
  async isReady(tenantId: string, clientId: string): Promise<boolean> {
    const { books } = this.#context;
    const key = { tenantId, bookId: clientBookId(clientId) };
    if (books.isInMemory(key)) return true;
    const begun = this.#attempts.get(bookKeyText(key));
    if (begun !== undefined) return begun.isEnded;
    const { count } = await books.readVersion(key, new RequestTiming());
    if (count <= maxQuickFacts) return true;
    this.#begin(key);
    return false;
  }

  async isLoanReady(tenantId: string, loanId: string): Promise<boolean> {
    const clientId = await this.#context.lookups.clientOfLoan.find(tenantId, loanId, new RequestTiming());
    return clientId === undefined || this.isReady(tenantId, clientId);
  }

  #begin(key: BookKey): void {
    const attempt = { isEnded: false };
    this.#attempts.set(bookKeyText(key), attempt);
    const end = (): void => {
      attempt.isEnded = true;
    };
    // Why it failed is told to the next read of the book.
    this.#context.books.loadLatest(key, new RequestTiming()).then(end, end);
  }
}
