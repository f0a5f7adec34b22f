/** The client of one Tenancy of the lending service. */

import { parseTenant } from './client-options.ts';
import {
  contractVersion,
  type ItemOf,
  type PagedRoute,
  pages,
  type RouteMethods,
  routes,
  streamPath,
} from './contract/routes.ts';
import type { FeedEvent, ReceiptBatchOutcome, ReceiptToReport } from './contract/shapes.ts';
import { type FeedEvents, followFeed, followStream, type PollOptions, type StreamOptions } from './feed.ts';
import { type Answer, HttpClient, type HttpClientOptions } from './http-client.ts';
import { Listing } from './listing.ts';
import { type BatchOptions, type ReportedReceipt, reportInBatches } from './receipt-batches.ts';
import {
  type AnswerOf,
  type AskOptions,
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
  /** By default LENDING_TENANT. */
  readonly tenant?: string | undefined;
}

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

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the methods of the routes are defined in the static block
export class Lending {
  readonly receipts: Receipts;
  readonly #http: HttpClient;
  readonly #tenant: string;

  constructor(options: LendingOptions = {}) {
    // A caller without types may pass null; the checks below report what is missing.
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
    options?: Options,
  ): Promise<Answer<AnswerOf<Name>>>;
  /** With `ifNoneMatch`: at 304 the answer has no body. */
  ask<Name extends RouteName>(
    name: Name,
    at: ParametersOf<Name>,
    body: BodyOf<Name>,
    options: AskOptions,
  ): Promise<Answer<AnswerOf<Name> | undefined>>;
  ask<Name extends RouteName>(
    name: Name,
    at: ParametersOf<Name>,
    body: BodyOf<Name>,
    options: AskOptions = {},
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

  /** A listing by the name of its route, for code that is written for several of them. */
  list<Name extends PagedRoute>(
    name: Name,
    at: ParametersOf<Name>,
    { body, ...options }: PageOptions<Name> = {},
  ): Listing<AnswerOf<Name>, ItemOf<Name>> {
    return this.#listing(name, at, body as BodyOf<Name>, options);
  }

  /** The pages of a listing, to its end. */
  pages<Name extends PagedRoute>(
    name: Name,
    at: ParametersOf<Name>,
    options?: PageOptions<Name>,
  ): AsyncGenerator<AnswerOf<Name>, void> {
    return this.list(name, at, options).pages();
  }

  /** The items of a listing, to its end. */
  each<Name extends PagedRoute>(
    name: Name,
    at: ParametersOf<Name>,
    options?: PageOptions<Name>,
  ): AsyncGenerator<ItemOf<Name>, void> {
    return this.list(name, at, options)[Symbol.asyncIterator]();
  }

  /** The Loan events of the Tenancy from a cursor on, by polling. Ends with its signal. */
  followFeed(options?: PollOptions): AsyncGenerator<FeedEvents<FeedEvent>, void> {
    return followFeed(this.#http, this.#target({ ...routes.readFeed, query: [] }, {}), options);
  }

  /** The same events, by a stream. */
  followStream(options?: StreamOptions): AsyncGenerator<FeedEvents<FeedEvent>, void> {
    return followStream(this.#http, this.#target({ path: streamPath, query: [] }, {}), options);
  }

  #listing<Name extends PagedRoute>(
    name: Name,
    at: ParametersOf<Name>,
    body: BodyOf<Name>,
    options: Options | undefined,
  ): Listing<AnswerOf<Name>, ItemOf<Name>> {
    const request = async (cursor: string | undefined): Promise<AnswerOf<Name>> => {
      const from = cursor === undefined ? {} : { cursor };
      const parameters = body === undefined ? { ...at, ...from } : at;
      const requestBody = body === undefined ? body : { ...body, ...from };
      return (await this.ask(name, parameters, requestBody, options)).body;
    };
    return new Listing(request, pages[name]);
  }

  /** A method takes the parameters and the body of its route, if it has them, then the options. */
  static {
    for (const name of Object.keys(routes) as RouteName[]) {
      const value = isPaged(name)
        ? function (this: Lending, ...values: unknown[]): unknown {
            const { at, body, options } = argumentsOf<PagedRoute>(name, values);
            return this.#listing<PagedRoute>(name, at, body, options);
          }
        : async function (this: Lending, ...values: unknown[]): Promise<unknown> {
            const { at, body, options } = argumentsOf<RouteName>(name, values);
            return (await this.ask(name, at, body, options)).body;
          };
      Object.defineProperty(Lending.prototype, name, { value, writable: true, configurable: true });
    }
  }

  #target(route: RouteAddress, at: RouteParameters): string {
    return requestTarget(route, { ...at, tenant_id: this.#tenant });
  }
}

function argumentsOf<Name extends RouteName>(name: RouteName, values: unknown[]) {
  const route: RouteRow = routes[name];
  const at = hasAddress(route) ? values.shift() : {};
  const body = route.body === true ? values.shift() : undefined;
  const [options] = values;
  if (typeof options === 'object' && options !== null && 'ifNoneMatch' in options)
    throw new TypeError(`${name} has no option "ifNoneMatch", because a 304 has no body to return; use ask`);
  return { at: at as ParametersOf<Name>, body: body as BodyOf<Name>, options: options as Options | undefined };
}

function isPaged(name: RouteName): name is PagedRoute {
  return Object.hasOwn(pages, name);
}
