/** Listings: the pages of a route and their items, requested when they are needed. */

/** Requests the page after a cursor, or the first one. */
export type RequestPage<Page> = (cursor: string | undefined) => Promise<Page>;

/** A page whose list of items is one of its members. */
interface ListPage {
  readonly cursor?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: as in the type of a promise
type Cause = any;

/** Iterate it for all items, `pages()` for all pages, or await it for the first page alone. */
export class Listing<Page extends ListPage, Item> implements Promise<Page>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = 'Listing';
  readonly #request: RequestPage<Page>;
  readonly #list: string;
  #first: Promise<Page> | undefined;

  /** `list` is the member of a page that has its items. */
  constructor(request: RequestPage<Page>, list: string) {
    this.#request = request;
    this.#list = list;
  }

  /** The pages, to the end of the listing. */
  async *pages(): AsyncGenerator<Page, void> {
    let cursor: string | undefined;
    do {
      const page = await this.#request(cursor);
      yield page;
      ({ cursor } = page);
    } while (cursor !== undefined);
  }

  /** The items, to the end of the listing. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.pages()) {
      yield* ((page as Readonly<Record<string, unknown>>)[this.#list] ?? []) as readonly Item[];
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: to await a listing is to read its first page
  then<Result = Page, Failure = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onFailure?: ((cause: Cause) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#first ??= this.#request(undefined);
    return this.#first.then(onPage, onFailure);
  }

  catch<Failure = never>(
    onFailure?: ((cause: Cause) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Page | Failure> {
    return this.then(undefined, onFailure);
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd);
  }
}
