/** What route handlers receive and return. */
import type { BodyOf, QueryOf, RouteName } from '#libs/api/routes.ts';
import type { RequestEvidence } from '#libs/auth/authenticate.ts';
import type { RegisteredKey, RegisteredTenancy } from '#libs/auth/key-ring.ts';
import type { RequestTiming } from '#libs/http/timing.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** An authenticated, parsed request. */
export interface AuthorizedRequest<Body = unknown, Query = unknown> {
  readonly route: RouteName;
  /** The service's identifier of the request: a UUID of version 7. */
  readonly requestId: string;
  readonly callerRequestId: string | undefined;
  /** The contract version of the answer. */
  readonly version: string;
  /** Milliseconds since 1970, when its head was received. */
  readonly receivedAt: number;
  /** Milliseconds since 1970, when it had been read and had its permit: the submission timeout counts from here. */
  readonly admittedAt: number;
  readonly params: { readonly [name: string]: string };
  readonly query: Query;
  /** The caller's JSON as sent, after its schema was checked. */
  readonly body: Body;
  readonly tenancy: RegisteredTenancy;
  readonly key: RegisteredKey;
  readonly evidence: RequestEvidence;
  /** Only on the routes that read the header. */
  readonly idempotencyKey: string | undefined;
  readonly timing: RequestTiming;
  /** To be called when what was made of the body is queued; without it the next long body waits for this answer. */
  readonly endBodyWork: () => void;
  header(name: string): string | undefined;
  /** Aborted when the caller disconnects. */
  disconnectSignal(): AbortSignal;
}

/** A request to a route without credentials. */
export type PublicRequest = Pick<
  AuthorizedRequest,
  'route' | 'requestId' | 'callerRequestId' | 'version' | 'receivedAt' | 'timing' | 'header'
> & {
  /** Of the request target, as it was sent. */
  readonly path: string;
  acceptsEncoding(encoding: string): boolean;
};

/** An answer sent in chunks over time. */
export interface ResponseStream {
  readonly chunks: AsyncIterable<string>;
  /** Aborting ends the answer immediately, even if the caller has not read all of it. */
  readonly stopSignal: AbortSignal;
  /** The request counts as active until its end: its chunks are read from the database while they are sent. */
  readonly isActive?: true;
}

export interface RouteResponse {
  readonly status: number;
  /** Sent as JSON; absent where there is no body (304). */
  readonly body?: unknown;
  /** Instead of `body`: already rendered. */
  readonly text?: string;
  /** Instead of `body`: ready to be sent, and shared by all answers. */
  readonly bytes?: Buffer;
  /** Instead of all of them: sent chunk by chunk. */
  readonly stream?: ResponseStream;
  /** The media type if it is not JSON. */
  readonly type?: string;
  /** Request headers other than `Contract-Version` on which a cacheable answer depends. */
  readonly variesBy?: readonly string[];
  /** Added to the headers of every answer. They must not repeat any of those. */
  readonly headers?: { readonly [name: string]: string };
}

export type RouteResult = RouteResponse | Refusal;
export type RouteHandler<Request> = (request: Request) => RouteResult | Promise<RouteResult>;

/** A request under an `Idempotency-Key`. The fields of its body are not checked yet: that refusal is an outcome too. */
export interface IdempotentRequest {
  readonly request: AuthorizedRequest<JsonObject> & { readonly idempotencyKey: string };
  /** A fault of the service is returned as a refusal; `DependencyUnavailableError` is thrown. */
  readonly execute: () => Promise<RouteResult>;
  /** Adds a header to the answer. */
  readonly setHeader: (name: string, value: string) => void;
}

/** Executes the first request under a key and answers repeats with its outcome. */
export type IdempotencyGuard = (idempotent: IdempotentRequest) => Promise<RouteResult>;

type PublicRouteName = 'readLiveness' | 'readReadiness' | 'readOpenApi' | 'readDocs' | 'readChangelog';

type RequestOf<Name extends RouteName> = Name extends PublicRouteName
  ? PublicRequest
  : AuthorizedRequest<BodyOf<Name>, QueryOf<Name>>;

/** The routes of a process: those without a handler answer 404. */
export type RouteHandlers = { readonly [Name in RouteName]?: RouteHandler<RequestOf<Name>> };
