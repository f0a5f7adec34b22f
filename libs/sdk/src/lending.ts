/** The client of one Tenancy of the lending service. */

import { parseTenant } from './client-options.ts';
import { contractVersion, pages, type RouteMethods, routes, streamPath } from './contract/routes.ts';
import type { FeedEvent, ReceiptBatchOutcome, ReceiptToReport } from './contract/shapes.ts';
import { type FeedEvents, followFeed, followStream, type PollOptions, type StreamOptions } from './feed.ts';
import { type Answer, HttpClient, type HttpClientOptions } from './http-client.ts';
import { type BatchOptions, type ReportedReceipt, reportInBatches } from './receipt-batches.ts';
import {
  type AnswerOf,
  type BodyOf,
  checkRouteOptions,
  hasAddress,
  type Options,
  type ParametersOf,
  type RouteAddress,
  type RouteName,
  type RouteParameters,
  type RouteRow,
  requestTarget,
} from './route-arguments.ts';

export interface LendingOptions extends HttpClientOptions {
  readonly tenant: string;
}

type PagedRoute = keyof typeof pages;
type ListOf<Name extends PagedRoute> = AnswerOf<Name>[(typeof pages)[Name] & keyof AnswerOf<Name>];
type ItemOf<Name extends PagedRoute> = NonNullable<ListOf<Name>> extends readonly (infer Item)[] ? Item : never;

/** A listing that is requested with a body has its cursor there. */
type PageOptions<Name extends PagedRoute> = Options & { readonly body?: BodyOf<Name> };

export interface Receipts {
  /** Posts any number of receipts in batches, and yields the outcome of each in the order of the input. */
  batch(
    receipts: Iterable<ReceiptToReport> | AsyncIterable<ReceiptToReport>,
    options?: BatchOptions,
  ): AsyncGenerator<ReportedReceipt<ReceiptToReport, ReceiptBatchOutcome>, void>;
}

export interface Lending extends RouteMethods {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the methods of the routes are defined below the class
export class Lending {
  readonly receipts: Receipts;
  readonly #http: HttpClient;
  readonly #tenant: string;

  constructor(options: LendingOptions) {
    // Without options the checks below still report what is missing.
    const { tenant, ...httpOptions }: LendingOptions = options ?? {};
    this.#http = new HttpClient(httpOptions, contractVersion);
    this.#tenant = parseTenant(tenant);
    const target = this.#target(routes.reportReceipts, {});
    this.receipts = { batch: (receipts, more) => reportInBatches(this.#http, target, receipts, more) };
  }

  /** Calls a route by its name and returns status and headers as well. */
  ask<Name extends RouteName>(
    name: Name,
    at: ParametersOf<Name>,
    body: BodyOf<Name>,
    options: Options = {},
  ): Promise<Answer<AnswerOf<Name>>> {
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
    at: ParametersOf<Name>,
    { body, ...options }: PageOptions<Name> = {},
  ): AsyncGenerator<AnswerOf<Name>, void> {
    let from: { readonly cursor?: string } = {};
    do {
      const parameters = body === undefined ? { ...at, ...from } : at;
      const requestBody = body === undefined ? body : { ...body, ...from };
      const answer = await this.ask(name, parameters, requestBody as BodyOf<Name>, options);
      yield answer.body;
      const { cursor } = answer.body;
      from = cursor === undefined ? {} : { cursor };
    } while (from.cursor !== undefined);
  }

  /** The items of a listing, to its end. */
  async *each<Name extends PagedRoute>(
    name: Name,
    at: ParametersOf<Name>,
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

  #target(route: RouteAddress, at: RouteParameters): string {
    return requestTarget(route, { ...at, tenant_id: this.#tenant });
  }
}

for (const name of Object.keys(routes) as RouteName[]) {
  Object.defineProperty(Lending.prototype, name, { value: routeMethod(name), writable: true, configurable: true });
}

/** A method takes the parameters and the body of its route, if it has them, then the options. */
function routeMethod(name: RouteName) {
  const route: RouteRow = routes[name];
  return async function (this: Lending, ...values: unknown[]): Promise<unknown> {
    const at = hasAddress(route) ? values.shift() : {};
    const body = route.body === true ? values.shift() : undefined;
    const [options] = values;
    const answer = await this.ask(
      name,
      at as ParametersOf<RouteName>,
      body as BodyOf<RouteName>,
      options as Options | undefined,
    );
    return answer.body;
  };
}
