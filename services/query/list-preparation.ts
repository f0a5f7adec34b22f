/** Whether a list can be answered at once. Where it cannot, the books of its page are being loaded. */
import { RequestTiming } from '#libs/http/timing.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { BookPreparation } from './book-preparation.ts';
import { type DuesSearch, findDueCandidates } from './dues.ts';
import type { ClientAtPosition } from './load-page-books.ts';
import { findLoans, type LoanSearch } from './loan-listing.ts';
import type { BookScope, ReadContext } from './read-context.ts';
import { findRehearsedLoans, type RehearsalSearch } from './rehearsals.ts';

export class ListPreparation {
  readonly #context: ReadContext;
  readonly #books: Pick<BookPreparation, 'areReady'>;

  constructor(context: ReadContext, books: Pick<BookPreparation, 'areReady'>) {
    this.#context = context;
    this.#books = books;
  }

  async areLoansReady(tenantId: string, query: LoanSearch['query']): Promise<boolean> {
    return this.#areReady(tenantId, await findLoans(this.#context, { ...scopeOf(tenantId), query }));
  }

  async isRehearsalReady(tenantId: string, search: RehearsalSearch): Promise<boolean> {
    return this.#areReady(tenantId, await findRehearsedLoans(this.#context, scopeOf(tenantId), search));
  }

  /** As many Clients as the page has: a filter that few of them match makes it load as many more. */
  async areDuesReady(tenantId: string, search: DuesSearch): Promise<boolean> {
    const clients = await findDueCandidates(this.#context, scopeOf(tenantId), search, search.bounds.clients);
    return this.#books.areReady(tenantId, clients);
  }

  /** The route answers what is refused. */
  async #areReady(
    tenantId: string,
    found: { readonly loans: readonly ClientAtPosition[] } | Refusal,
  ): Promise<boolean> {
    return isRefusal(found) || this.#books.areReady(tenantId, found.loans);
  }
}

function scopeOf(id: string): BookScope {
  return { tenancy: { id }, timing: new RequestTiming() };
}
