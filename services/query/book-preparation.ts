/** Loads long books, or many, in the background, so that a page can say at once that it waits for them. */
import { LRUCache } from 'lru-cache';
import { type BookKey, bookKeyText } from '#libs/database/books.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { Turns } from '#libs/runtime/turns.ts';
import type { ClientAtPosition } from './load-page-books.ts';
import type { ReadContext } from './read-context.ts';

/** So many facts, of one book or of several, are loaded within about a tenth of a second. */
const maxQuickFacts = 500;
/** Each takes memory and processor time beside the pages that are answered. */
const maxLoadsAtOnce = 2;
/** Limits the queue of loads; a page of one more book asks again. */
const maxUnloaded = 100;
/** Until a book is loaded again that did not stay in memory, or could not be loaded. */
const retryLoadAfterMs = 60_000;

/** A Client's book, by the Client or by what is recorded in it. */
export type BookSubject = { readonly tenantId: string } & (
  | { readonly clientId: string }
  | { readonly loanId: string }
  | { readonly receipt: string }
);

interface EndedLoad {
  readonly at: number;
  readonly isLoaded: boolean;
}

interface BookSources {
  readonly books: Pick<ReadContext['books'], 'sequenceInMemory' | 'readSequence' | 'loadLatest' | 'repairsEnded'>;
  readonly lookups: Pick<ReadContext['lookups'], 'clientOfLoan' | 'bookOfReceipt'>;
}

export class BookPreparation {
  readonly #context: BookSources;
  readonly #now: () => number;
  readonly #turns = new Turns(maxLoadsAtOnce);
  /** Those that are loaded or wait for it. */
  readonly #unloaded = new Set<string>();
  readonly #ended = new LRUCache<string, EndedLoad>({ max: 1_000 });

  constructor(context: BookSources, now: () => number = Date.now) {
    this.#context = context;
    this.#now = now;
  }

  /** False while the book is loaded, which the first call begins. A read would wait for it. */
  async isReady(subject: BookSubject): Promise<boolean> {
    const { books } = this.#context;
    const bookId = await this.#bookOf(subject);
    if (bookId === undefined) return true;
    const key = { tenantId: subject.tenantId, bookId };
    const name = bookKeyText(key);
    if (this.#unloaded.has(name)) return false;
    if (this.#isReadAnyway(key, name)) return true;
    const sequence = await books.readSequence(key, new RequestTiming());
    if (this.#missingFacts(key, sequence) <= maxQuickFacts) return true;
    this.#begin(key, name);
    return false;
  }

  /** Of a list. False while its books are loaded, where they have many facts together. */
  async areReady(
    tenantId: string,
    clients: readonly Pick<ClientAtPosition, 'clientId' | 'sequence'>[],
  ): Promise<boolean> {
    const { books } = this.#context;
    const missing = new Map<string, BookKey>();
    const outdated = new Map<string, BookKey>();
    let facts = 0;
    for (const { clientId, sequence } of new Map(clients.map((client) => [client.clientId, client])).values()) {
      const key = { tenantId, bookId: clientBookId(clientId) };
      const name = bookKeyText(key);
      if (!this.#unloaded.has(name) && this.#isReadAnyway(key, name)) continue;
      const missingFacts = this.#missingFacts(key, sequence);
      if (missingFacts === 0) continue;
      facts += missingFacts;
      (books.sequenceInMemory(key) === undefined ? missing : outdated).set(name, key);
    }
    if (facts > maxQuickFacts) {
      for (const [name, key] of [...missing, ...outdated]) this.#begin(key, name);
      return false;
    }
    // A list would load them whole, however few facts are new.
    await Promise.all(
      [...outdated.values()].map((key) => books.loadLatest(key, new RequestTiming()).catch(() => undefined)),
    );
    return true;
  }

  /** It does not stay in memory, or it cannot be loaded, also where an older state of it is in memory: the page says why. */
  #isReadAnyway(key: BookKey, name: string): boolean {
    const ended = this.#ended.get(name);
    if (ended === undefined || this.#now() - ended.at >= retryLoadAfterMs) return false;
    return !ended.isLoaded || this.#context.books.sequenceInMemory(key) === undefined;
  }

  #missingFacts(key: BookKey, sequence: number): number {
    return Math.max(sequence - (this.#context.books.sequenceInMemory(key) ?? 0), 0);
  }

  #begin(key: BookKey, name: string): void {
    if (!this.#unloaded.has(name) && this.#unloaded.size < maxUnloaded) void this.#load(key, name);
  }

  /** Undefined where nothing of this name is recorded. */
  async #bookOf(subject: BookSubject): Promise<string | undefined> {
    const { clientOfLoan, bookOfReceipt } = this.#context.lookups;
    if ('receipt' in subject) return bookOfReceipt.find(subject.tenantId, subject.receipt, new RequestTiming());
    if ('clientId' in subject) return clientBookId(subject.clientId);
    const clientId = await clientOfLoan.find(subject.tenantId, subject.loanId, new RequestTiming());
    return clientId === undefined ? undefined : clientBookId(clientId);
  }

  async #load(key: BookKey, name: string): Promise<void> {
    this.#unloaded.add(name);
    const endTurn = await this.#turns.take();
    let isLoaded = false;
    try {
      await this.#context.books.loadLatest(key, new RequestTiming());
      await this.#context.books.repairsEnded();
      isLoaded = true;
    } catch {
      // The next read of the book reports the error.
    } finally {
      endTurn();
      this.#unloaded.delete(name);
      this.#ended.set(name, { at: this.#now(), isLoaded });
    }
  }
}
