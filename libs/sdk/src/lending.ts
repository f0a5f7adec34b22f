/** A Tenancy of the lending service, from a caller's side. */
import { type BatchOptions, type Reported, reportAll } from './batch.ts';
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
import { followFeed, followStream, type Polling, type Streaming, type Told } from './following.ts';
import { tenantOf } from './given-options.ts';
import { optionsOf } from './route-options.ts';
import { type Answer, Line, type LineOptions } from './sending.ts';
import { type Parameters, targetOf } from './targets.ts';

export interface LendingOptions extends LineOptions {
  readonly tenant: string;
}

type PagedRoute = keyof typeof pages;
type PageOf<Name extends PagedRoute> = Operations[Name]['answer'];
type ListOf<Name extends PagedRoute> = PageOf<Name>[(typeof pages)[Name] & keyof PageOf<Name>];
type ItemOf<Name extends PagedRoute> = NonNullable<ListOf<Name>> extends readonly (infer Item)[] ? Item : never;

/** A listing that is asked for with a body takes its cursor there. */
type PageOptions<Name extends PagedRoute> = Options & { readonly body?: Operations[Name]['body'] };

/** A request of the table, as far as it is sent. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly keyed?: boolean;
  readonly reads?: 'text';
}

export interface Receipts {
  /** Receipts without number, posted many together; what came of each is told in the order they were given. */
  batch(
    receipts: Iterable<ReceiptToReport> | AsyncIterable<ReceiptToReport>,
    options?: BatchOptions,
  ): AsyncGenerator<Reported<ReceiptToReport, ReceiptBatchOutcome>, void>;
}

export class Lending extends Routes {
  readonly receipts: Receipts;
  readonly #line: Line;
  readonly #tenant: string;

  constructor(options: LendingOptions) {
    super();
    // Whoever gives nothing at all is told what is missing as well.
    const { tenant, ...line }: LendingOptions = options ?? {};
    this.#line = new Line(line, contractVersion);
    this.#tenant = tenantOf(tenant);
    const target = this.#target(routes.reportReceipts, {});
    this.receipts = { batch: (receipts, more) => reportAll(this.#line, target, receipts, more) };
  }

  override ask<Name extends RouteName>(
    name: Name,
    at: Operations[Name]['at'],
    body: Operations[Name]['body'],
    options: Options = {},
  ): Promise<Answer<Operations[Name]['answer']>> {
    const route: Sent = routes[name];
    const { callerRequestId, idempotencyKey, ifNoneMatch, signal } = optionsOf(name, route, body, options);
    const headers = {
      ...(callerRequestId === undefined ? {} : { 'Request-Id': callerRequestId }),
      ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }),
    };
    return this.#line.send({
      method: route.method,
      target: this.#target(route, at),
      body: body === undefined ? undefined : JSON.stringify(body),
      // Without one, a creation whose answer was lost would be performed twice when it is sent again.
      idempotencyKey: idempotencyKey ?? (route.keyed === true ? crypto.randomUUID() : undefined),
      headers,
      signal,
      ...(route.reads === undefined ? {} : { reads: route.reads }),
    });
  }

  /** Page after page of a listing, until the service names no next one. */
  async *pages<Name extends PagedRoute>(
    name: Name,
    at: Operations[Name]['at'],
    { body, ...options }: PageOptions<Name> = {},
  ): AsyncGenerator<PageOf<Name>, void> {
    let from: { readonly cursor?: string } = {};
    do {
      const place = body === undefined ? { ...at, ...from } : at;
      const asked = body === undefined ? body : { ...body, ...from };
      const answer = await this.ask(name, place, asked as Operations[Name]['body'], options);
      yield answer.body;
      const { cursor } = answer.body;
      from = cursor === undefined ? {} : { cursor };
    } while (from.cursor !== undefined);
  }

  /** Everything a listing holds, one by one. */
  async *each<Name extends PagedRoute>(
    name: Name,
    at: Operations[Name]['at'],
    options?: PageOptions<Name>,
  ): AsyncGenerator<ItemOf<Name>, void> {
    for await (const page of this.pages(name, at, options)) {
      yield* (page as Readonly<Record<string, unknown>>)[pages[name]] as readonly ItemOf<Name>[];
    }
  }

  /** The Tenancy's Loan events from a cursor on, asked for again and again; it ends with its signal. */
  followFeed(options?: Polling): AsyncGenerator<Told<FeedEvent>, void> {
    return followFeed(this.#line, this.#target({ ...routes.readFeed, query: [] }, {}), options);
  }

  /** The same, told as it happens. */
  followStream(options?: Streaming): AsyncGenerator<Told<FeedEvent>, void> {
    return followStream(this.#line, this.#target({ path: streamPath, query: [] }, {}), options);
  }

  #target(route: Pick<Sent, 'path' | 'query'>, at: Parameters): string {
    return targetOf(route, { ...at, tenant_id: this.#tenant });
  }
}
