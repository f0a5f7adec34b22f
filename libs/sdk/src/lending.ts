/** The client of one Tenancy of the lending service. */

import { parseTenant } from './client-options.ts';
import {
  contractVersion,
  type Operations,
  type Options,
  pages,
  type RouteName,
  Routes,
  routes,
  streamPath,
} from './contract/routes.ts';
import type { FeedEvent, ReceiptBatchOutcome, ReceiptToReport } from './contract/shapes.ts';
import { type FeedEvents, followFeed, followStream, type PollOptions, type StreamOptions } from './feed.ts';
import { type Answer, HttpClient, type HttpClientOptions } from './http-client.ts';
import { type BatchOptions, type ReportedReceipt, reportInBatches } from './receipt-batches.ts';
import { checkRouteOptions, type RouteParameters, requestTarget } from './route-call.ts';

export interface LendingOptions extends HttpClientOptions {
  readonly tenant: string;
}

type PagedRoute = keyof typeof pages;
type PageOf<Name extends PagedRoute> = Operations[Name]['answer'];
type ListOf<Name extends PagedRoute> = PageOf<Name>[(typeof pages)[Name] & keyof PageOf<Name>];
type ItemOf<Name extends PagedRoute> = NonNullable<ListOf<Name>> extends readonly (infer Item)[] ? Item : never;

/** A listing that is requested with a body has its cursor there. */
type PageOptions<Name extends PagedRoute> = Options & { readonly body?: Operations[Name]['body'] };

/** A row of the generated table of routes. */
interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly keyed?: boolean;
  readonly reads?: 'text';
}

export interface Receipts {
  /** Posts any number of receipts in batches, and yields the outcome of each in the order of the input. */
  batch(
    receipts: Iterable<ReceiptToReport> | AsyncIterable<ReceiptToReport>,
    options?: BatchOptions,
  ): AsyncGenerator<ReportedReceipt<ReceiptToReport, ReceiptBatchOutcome>, void>;
}

export class Lending extends Routes {
  readonly receipts: Receipts;
  readonly #http: HttpClient;
  readonly #tenant: string;

  constructor(options: LendingOptions) {
    super();
    // Without options the checks below still report what is missing.
    const { tenant, ...httpOptions }: LendingOptions = options ?? {};
    this.#http = new HttpClient(httpOptions, contractVersion);
    this.#tenant = parseTenant(tenant);
    const target = this.#target(routes.reportReceipts, {});
    this.receipts = { batch: (receipts, more) => reportInBatches(this.#http, target, receipts, more) };
  }

  override ask<Name extends RouteName>(
    name: Name,
    at: Operations[Name]['at'],
    body: Operations[Name]['body'],
    options: Options = {},
  ): Promise<Answer<Operations[Name]['answer']>> {
    const route: RouteRow = routes[name];
    const { callerRequestId, idempotencyKey, ifNoneMatch, signal } = checkRouteOptions(name, route, body, options);
    const headers = {
      ...(callerRequestId === undefined ? {} : { 'Request-Id': callerRequestId }),
      ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }),
    };
    return this.#http.send({
      method: route.method,
      target: this.#target(route, at),
      body: body === undefined ? undefined : JSON.stringify(body),
      // Without a key, a creation whose response was lost would be performed twice by the retry.
      idempotencyKey: idempotencyKey ?? (route.keyed === true ? crypto.randomUUID() : undefined),
      headers,
      signal,
      ...(route.reads === undefined ? {} : { reads: route.reads }),
    });
  }

  /** The pages of a listing, to its end. */
  async *pages<Name extends PagedRoute>(
    name: Name,
    at: Operations[Name]['at'],
    { body, ...options }: PageOptions<Name> = {},
  ): AsyncGenerator<PageOf<Name>, void> {
    let from: { readonly cursor?: string } = {};
    do {
      const parameters = body === undefined ? { ...at, ...from } : at;
      const requestBody = body === undefined ? body : { ...body, ...from };
      const answer = await this.ask(name, parameters, requestBody as Operations[Name]['body'], options);
      yield answer.body;
      const { cursor } = answer.body;
      from = cursor === undefined ? {} : { cursor };
    } while (from.cursor !== undefined);
  }

  /** The items of a listing, to its end. */
  async *each<Name extends PagedRoute>(
    name: Name,
    at: Operations[Name]['at'],
    options?: PageOptions<Name>,
  ): AsyncGenerator<ItemOf<Name>, void> {
    for await (const page of this.pages(name, at, options)) {
      yield* (page as Readonly<Record<string, unknown>>)[pages[name]] as readonly ItemOf<Name>[];
    }
  }

  /** The Loan events of the Tenancy from a cursor on, by polling. Ends with its signal. */
  followFeed(options?: PollOptions): AsyncGenerator<FeedEvents<FeedEvent>, void> {
    return followFeed(this.#http, this.#target({ ...routes.readFeed, query: [] }, {}), options);
  }

  /** The same events, by a stream. */
  followStream(options?: StreamOptions): AsyncGenerator<FeedEvents<FeedEvent>, void> {
    return followStream(this.#http, this.#target({ path: streamPath, query: [] }, {}), options);
  }

  #target(route: Pick<RouteRow, 'path' | 'query'>, at: RouteParameters): string {
    return requestTarget(route, { ...at, tenant_id: this.#tenant });
  }
}
