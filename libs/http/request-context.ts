/** One request on its way through the middleware: what was sent, what is known of it, and what its answer must carry. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import { type ChangeWindow, headersOfWindows } from '#libs/api/contract-versions.ts';
import { type MatchedRoute, type PathPieces, splitPath } from '#libs/api/route-matcher.ts';
import type { AuthenticatedCaller } from '#libs/auth/authenticate.ts';
import type { Credentials } from '#libs/auth/signing-scheme.ts';
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import { callerRequestId, type RequestHead, readHead } from '#libs/http/request-head.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

export type HeaderFields = { [name: string]: string };

/** The caller disconnected before its request was complete: no answer can be sent. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError';
}

export class RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId = newUuid();
  readonly timing = new RequestTiming();
  readonly head: RequestHead;
  readonly method: string;
  /** Exactly as on the request line. */
  readonly target: string;
  readonly path: string;
  readonly pathPieces: PathPieces;
  readonly queryText: string;
  readonly callerRequestId: string | undefined;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The contract version of the answer. */
  version: string;
  /** Whether the path is that of a route without credentials. */
  isPublic = false;
  /** Set by the middleware, in this order. */
  credentials: Credentials | undefined;
  body: Buffer | undefined;
  caller: AuthenticatedCaller | undefined;
  route: MatchedRoute | undefined;
  authorizedRequest: AuthorizedRequest | undefined;
  /** Where traces are recorded, and the sender is known. */
  span: Span | undefined;
  /** Of the body that was sent. */
  responseBytes = 0;
  /** Of a long body: lets the next one be worked on. */
  endBodyWork: () => void = () => undefined;
  /** The error behind a 500 or 503; it is logged and not sent. */
  cause: unknown;
  /** Sent with the answer, whatever it is. */
  readonly responseHeaders: HeaderFields = {};
  /** Of the contract changes that the request relies on. */
  #windows: readonly ChangeWindow[] = [];
  readonly #releases: (() => void)[] = [];

  constructor(request: IncomingMessage, response: ServerResponse, receivedAt: number, version: string) {
    this.request = request;
    this.response = response;
    this.receivedAt = receivedAt;
    this.version = version;
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    const mark = this.target.indexOf('?');
    this.path = mark < 0 ? this.target : this.target.slice(0, mark);
    this.queryText = mark < 0 ? '' : this.target.slice(mark + 1);
    this.pathPieces = splitPath(this.path);
    this.head = readHead(request.rawHeaders);
    this.callerRequestId = callerRequestId(this.head);
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  /** Aborted when the caller disconnects. */
  disconnectSignal(): AbortSignal {
    const controller = new AbortController();
    if (this.response.destroyed) controller.abort();
    else this.response.once('close', () => controller.abort());
    return controller.signal;
  }

  /** The refusal of a request whose body is not read: what follows on the connection cannot be understood. */
  closingConnection(refusal: Refusal): Refusal {
    this.responseHeaders['Connection'] = 'close';
    return refusal;
  }

  /** Adds the headers of contract changes that the request relies on. */
  announce(windows: readonly ChangeWindow[]): void {
    if (windows.length === 0) return;
    this.#windows = [...this.#windows, ...windows];
    Object.assign(this.responseHeaders, headersOfWindows(this.#windows));
  }

  /** `release` runs when the result is known, before it is sent; for an active stream at its end. */
  onResult(release: () => void): void {
    this.#releases.push(release);
  }

  releaseAll(): void {
    for (const release of this.#releases.splice(0).reverse()) release();
  }
}

/** For what an earlier step of the pipeline has set. */
export function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`${name} is missing: the middleware runs in the wrong order`);
  return value;
}
