import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { type DataPaths, type Json, parseBody } from '#libs/contract/json.ts';
import { type QueryShape, readQuery } from '#libs/contract/query.ts';
import { isRefusal, type Refusal, refuse } from '#libs/contract/refusals.ts';
import { pathFault, type Route } from '#libs/contract/route.ts';
import { type RouteName, routes } from '#libs/contract/routes.ts';
import { readBody } from '#libs/contract/shape.ts';
import {
  baselineOf,
  type Contract,
  closedWindow,
  contract as published,
  statedVersion,
  windowHeaders,
  windowsOf,
} from '#libs/contract/versions.ts';
import {
  type Authenticated,
  authenticate,
  permit,
  presentation,
  readIdempotencyKey,
  unauthenticated,
} from '#libs/door/authenticate.ts';
import { declaredTooLong, Gone, readBytes, tooLarge } from '#libs/door/body-bytes.ts';
import { type Bounds, defaultBounds, type Place, Turnstiles } from '#libs/door/bounds.ts';
import { Exchange } from '#libs/door/exchange.ts';
import type { Admitted, Handle, Handlers, Outcome, Visitor } from '#libs/door/handler.ts';
import { isJson } from '#libs/door/head.ts';
import type { KeyRing } from '#libs/door/key-ring.ts';
import { type Matched, pathPieces, Router, tenantOf } from '#libs/door/router.ts';
import { StoreUnavailable } from '#libs/store/unavailable.ts';

/** What is told of a request once it is answered, for logs and figures. */
export interface Passage {
  readonly exchange: Exchange;
  readonly status: number;
  readonly code: string | undefined;
  /** What was thrown, where the answer says nothing of it. */
  readonly cause: unknown;
}

export interface DoorOptions {
  readonly handlers: Handlers;
  readonly keyRing: KeyRing;
  readonly turnstiles?: Turnstiles;
  /** The bounds of a Tenancy that has none of its own. */
  readonly bounds?: Bounds;
  readonly contract?: Contract;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly observe?: (passage: Passage) => void;
  /** Runs the handler with the request's identifier at hand, so that what it logs carries it. */
  readonly withRequestId?: <T>(requestId: string, work: () => T) => T;
}

/** What every request passes, from its first byte to its answer. */
export class Door {
  readonly #router = new Router();
  readonly #handlers: { readonly [name in RouteName]?: Handle<never> };
  readonly #keyRing: KeyRing;
  readonly #turnstiles: Turnstiles;
  readonly #bounds: Bounds;
  readonly #contract: Contract;
  readonly #now: () => number;
  readonly #observe: DoorOptions['observe'];
  readonly #withRequestId: NonNullable<DoorOptions['withRequestId']>;

  constructor(options: DoorOptions) {
    this.#keyRing = options.keyRing;
    this.#turnstiles = options.turnstiles ?? new Turnstiles();
    this.#bounds = options.bounds ?? defaultBounds;
    this.#contract = options.contract ?? published;
    this.#now = options.now ?? Date.now;
    this.#observe = options.observe;
    this.#withRequestId = options.withRequestId ?? ((_, work) => work());
    this.#handlers = { readBounds: (request: Admitted) => this.#tellBounds(request), ...options.handlers };
    for (const name of Object.keys(this.#handlers) as RouteName[]) this.#router.add(name, routes[name]);
  }

  /** For Express, or for Node's own server. */
  readonly handle: RequestListener = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Exchange(request, response, this.#now(), baselineOf(this.#contract));
    void this.#pass(exchange);
  };

  async #pass(exchange: Exchange): Promise<void> {
    let outcome: Outcome;
    let cause: unknown;
    try {
      outcome = await this.#outcome(exchange);
    } catch (thrown) {
      if (thrown instanceof Gone) return;
      cause = thrown;
      outcome = failure(thrown, exchange.route);
    }
    const code = isRefusal(outcome) ? outcome.code : undefined;
    try {
      if (!isRefusal(outcome) && outcome.stream !== undefined) {
        await exchange.stream(outcome.status, outcome.stream, outcome.type ?? 'text/event-stream');
      } else {
        exchange.answer(outcome);
      }
    } catch (thrown) {
      // What cannot be rendered is our own fault as well, and says as little.
      cause ??= thrown;
      exchange.answer(failure(thrown, exchange.route));
    }
    this.#observe?.({ exchange, status: exchange.response.statusCode, code, cause });
  }

  async #outcome(exchange: Exchange): Promise<Outcome> {
    const { head, method, path } = exchange;
    const pieces = pathPieces(path);
    const open = this.#openRoute(method, pieces);
    // Whoever asks after the service's health states no version.
    const isProbe = open !== undefined && pieces.length === 1 && (path === '/livez' || path === '/readyz');
    const version = isProbe ? undefined : statedVersion(this.#contract, head.contractVersion);
    if (version !== undefined) {
      if (isRefusal(version)) return version;
      exchange.version = version.version;
    }
    if (open !== undefined) return this.#visit(exchange, open);

    const authenticated = await this.#authenticate(exchange);
    if (isRefusal(authenticated)) return authenticated;
    exchange.authenticated = authenticated;
    const refused = permit(authenticated, tenantOf(pieces), method);
    if (refused) return refused;

    const place = await this.#enter(exchange, authenticated);
    if (isRefusal(place)) return place;
    try {
      const matched = this.#router.match(method, pieces);
      if ('refusal' in matched) return this.#unmatched(exchange, matched);
      exchange.route = matched.name;
      return await this.#serve(exchange, authenticated, matched);
    } finally {
      place.leave();
    }
  }

  /** The route without a credential that a path names, matched or not. */
  #openRoute(method: string, pieces: readonly (string | undefined)[]): ReturnType<Router['match']> | undefined {
    if (pieces.length > mostOpenPieces) return undefined;
    const matched = this.#router.match('GET', pieces);
    if ('refusal' in matched || !routes[matched.name].open) return undefined;
    return method === 'GET' || method === 'HEAD' ? matched : this.#router.match(method, pieces);
  }

  async #visit(exchange: Exchange, matched: ReturnType<Router['match']>): Promise<Outcome> {
    if ('refusal' in matched) return this.#unmatched(exchange, matched);
    exchange.route = matched.name;
    const { requestId, callerRequestId, version, receivedAt, method, path, timing } = exchange;
    const visitor: Visitor = {
      route: matched.name,
      requestId,
      callerRequestId,
      version,
      receivedAt,
      method,
      path,
      timing,
      header: (name) => headerOf(exchange, name),
    };
    const handle = this.#handlers[matched.name] as Handle<Visitor>;
    return this.#withRequestId(requestId, () => handle(visitor));
  }

  #unmatched(exchange: Exchange, { refusal, allow }: { refusal: Refusal; allow?: string }): Refusal {
    if (allow !== undefined) exchange.headers['Allow'] = allow;
    return refusal;
  }

  async #authenticate(exchange: Exchange): Promise<Authenticated | Refusal> {
    const { request, head, method, target } = exchange;
    const tooLong = declaredTooLong(request);
    if (tooLong) return closing(exchange, tooLong);
    const presented = presentation(head, exchange.receivedAt);
    if (presented === undefined) return unauthenticated;
    const body = await readBytes(request);
    if (isRefusal(body)) return closing(exchange, body);
    return authenticate(this.#keyRing, { method, target, presented, idempotencyKey: head.idempotencyKey[0], body });
  }

  async #enter(exchange: Exchange, { key }: Authenticated): Promise<Place | Refusal> {
    const { tenancy } = key;
    const entered = this.#turnstiles.enter(tenancy.id, tenancy.bounds ?? this.#bounds);
    return entered instanceof Promise ? exchange.timing.measure('queue', () => entered) : entered;
  }

  async #serve(exchange: Exchange, authenticated: Authenticated, { name, params }: Matched): Promise<Outcome> {
    const route: Route = routes[name];
    const { key, evidence } = authenticated;
    const { head, method, path, requestId, callerRequestId, version, receivedAt, timing } = exchange;
    if (route.notForAgents && key.holder === 'agent' && key.tenancy.live) return refuse('not_permitted_agent');

    const read = route.body === undefined ? { json: undefined } : this.#readJson(exchange, route, evidence.body);
    if (isRefusal(read)) return read;
    const keyed = route.keyed ? readIdempotencyKey(head) : { key: undefined };
    if (isRefusal(keyed)) return keyed;
    const asked = readQuery<QueryShape>(exchange.queryText, route.query);
    if (isRefusal(asked)) return asked;
    const stated = route.body === undefined ? { body: undefined } : readBody(route.body, read.json as Json);
    if (isRefusal(stated)) return stated;
    const misnamed = pathFault(route.method, params);
    if (misnamed) return misnamed;

    const admitted: Admitted = {
      route: name,
      requestId,
      callerRequestId,
      version,
      receivedAt,
      method,
      path,
      params,
      query: asked.query,
      body: stated.body,
      tenancy: key.tenancy,
      key,
      evidence,
      idempotencyKey: keyed.key,
      timing,
      header: (header) => headerOf(exchange, header),
      get gone() {
        return goneSignal(exchange);
      },
    };
    const handle = this.#handlers[name] as Handle<Admitted>;
    return this.#withRequestId(requestId, () => handle(admitted));
  }

  /** Media type, then size, then JSON, then the members whose days are counted. */
  #readJson(exchange: Exchange, route: Route, bytes: Buffer): { readonly json: Json } | Refusal {
    if (!isJson(exchange.head)) return refuse('unsupported_media_type');
    if (bytes.length > route.mostBodyBytes) return tooLarge(route.mostBodyBytes);
    const json = parseBody(bytes, (route.body?.data ?? []) as DataPaths);
    if (isRefusal(json)) return json;
    const windows = windowsOf(this.#contract, exchange.route ?? '', json);
    const closed = closedWindow(windows, exchange.receivedAt);
    if (closed) return closed;
    for (const window of windows) Object.assign(exchange.headers, windowHeaders(window));
    return { json };
  }

  #tellBounds({ tenancy }: Admitted): Outcome {
    const { concurrent, patienceMs, perSecond, burst } = tenancy.bounds ?? this.#bounds;
    const source = tenancy.bounds === undefined ? 'default' : 'tenancy';
    return { status: 200, body: { concurrent, patience_ms: patienceMs, per_second: perSecond, burst, source } };
  }
}

/** `/v1/openapi.json` is the longest path without a credential. */
const mostOpenPieces = 2;

/** Nothing of what went wrong is told: a caller can do nothing with it, and an attacker can. */
function failure(thrown: unknown, route: RouteName | undefined): Refusal {
  if (thrown instanceof StoreUnavailable) return refuse('unavailable');
  const internal = refuse('internal_error');
  // The outcome is recorded under the idempotency key: only a new key gets another.
  return route !== undefined && routes[route].keyed ? { ...internal, retry: 'after_change' } : internal;
}

function closing(exchange: Exchange, refusal: Refusal): Refusal {
  exchange.headers['Connection'] = 'close';
  return refusal;
}

function headerOf({ request }: Exchange, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function goneSignal({ response }: Exchange): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}

/** Express carries the door and does nothing of its own: no route, no header, no error page. */
export function mount(app: Express, door: Door): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(door.handle);
}
