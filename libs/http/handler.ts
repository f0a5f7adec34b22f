import type { BodyOf, QueryOfRoute, RouteName } from '#libs/api/routes.ts';
import type { RequestEvidence } from '#libs/auth/authenticate.ts';
import type { RegisteredKey, RegisteredTenancy } from '#libs/auth/key-ring.ts';
import type { Timing } from '#libs/http/timing.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** A request that passed the door, as its handler sees it. */
export interface AuthorizedRequest<Body = unknown, Query = unknown> {
  readonly route: RouteName;
  /** The service's identifier for it: a UUID of version 7. */
  readonly requestId: string;
  readonly callerRequestId: string | undefined;
  /** The contract version the answer is rendered under. */
  readonly version: string;
  /** Milliseconds since 1970, when it came in. */
  readonly receivedAt: number;
  /** Milliseconds since 1970, when its body was there and it had its place: patience with it begins here. */
  readonly admittedAt: number;
  readonly params: { readonly [name: string]: string };
  readonly query: Query;
  /** The caller's own JSON, its shape checked and nothing in it changed. */
  readonly body: Body;
  readonly tenancy: RegisteredTenancy;
  readonly key: RegisteredKey;
  readonly evidence: RequestEvidence;
  /** Only on the routes that read the header. */
  readonly idempotencyKey: string | undefined;
  readonly timing: Timing;
  header(name: string): string | undefined;
  /** Aborts where the caller went away. */
  gone(): AbortSignal;
}

/** A request to a route that asks for no credential. */
export type PublicRequest = Pick<
  AuthorizedRequest,
  'route' | 'requestId' | 'callerRequestId' | 'version' | 'receivedAt' | 'timing' | 'header'
>;

/** An answer that lasts. */
export interface Streaming {
  readonly pieces: AsyncIterable<string>;
  /** Ends it at once, also where the caller has not taken what was said last. */
  readonly ends: AbortSignal;
}

export interface RouteResponse {
  readonly status: number;
  /** Rendered as JSON; absent where there is no body (304). */
  readonly body?: unknown;
  /** Instead of `body`: rendered already. */
  readonly text?: string;
  /** Instead of both: sent piece by piece for as long as it lasts. */
  readonly stream?: Streaming;
  /** The media type, where it is not JSON. */
  readonly type?: string;
  /** Beside the door's own, none of which they name: each is sent. */
  readonly headers?: { readonly [name: string]: string };
}

export type RouteResult = RouteResponse | Refusal;
export type RouteHandler<Request> = (request: Request) => RouteResult | Promise<RouteResult>;

/** A request under an `Idempotency-Key`, taken in but for the fields of its body: refusing those is an outcome too. */
export interface IdempotentRequest {
  readonly admitted: AuthorizedRequest<JsonObject> & { readonly idempotencyKey: string };
  /** Does it. Our own fault comes back as the refusal it is answered with; a store that is away is thrown. */
  readonly act: () => Promise<RouteResult>;
  /** Adds a header to the answer. */
  readonly header: (name: string, value: string) => void;
}

/** Answers a key's first outcome to every repeat of it, and has it done where there is none. */
export type IdempotencyGuard = (keyed: IdempotentRequest) => Promise<RouteResult>;

type OpenRoute = 'readLiveness' | 'readReadiness' | 'readOpenApi' | 'readDocs' | 'readChangelog';

type RequestTo<Name extends RouteName> = Name extends OpenRoute
  ? PublicRequest
  : AuthorizedRequest<BodyOf<Name>, QueryOfRoute<Name>>;

/** What serves each route of this process; a route without a handler is no route of it. */
export type RouteHandlers = { readonly [Name in RouteName]?: RouteHandler<RequestTo<Name>> };
