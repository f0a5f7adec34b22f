import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { mebibyte } from '#libs/api/route.ts';
import { type Matched, type Pieces, pathPieces, Router, tenantOf } from '#libs/api/route-matcher.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { baselineOf, type Contract, contract as published, statedVersion } from '#libs/api/versions.ts';
import { type Authenticated, authenticate, permit, presentation, unauthenticated } from '#libs/auth/authenticate.ts';
import type { Presented } from '#libs/auth/header.ts';
import type { KeyRing } from '#libs/auth/key-ring.ts';
import { type Verify, verifyAtOnce } from '#libs/auth/verification-worker.ts';
import { AdmissionControl, type IntakeBounds } from '#libs/http/admission-control.ts';
import { declaredTooLong, Gone, Room, readBytes, weightOfWhole } from '#libs/http/body-bytes.ts';
import { Exchange } from '#libs/http/exchange.ts';
import type {
  AuthorizedRequest,
  IdempotencyGuard,
  IdempotentRequest,
  PublicRequest,
  RouteHandler,
  RouteHandlers,
  RouteResult,
} from '#libs/http/handler.ts';
import { fieldFault, takeIn } from '#libs/http/parse-request.ts';
import { type Bounds, defaultBounds, type Permit, Turnstiles } from '#libs/http/rate-limits.ts';
import { RequestContext, type Sent } from '#libs/http/request-context.ts';
import type { RequestHead } from '#libs/http/request-head.ts';
import { ResponseDeadline } from '#libs/http/response-deadline.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { graceMs, patienceMs } from '#libs/submission/deadline.ts';

/** What is told of a request once it is answered, for logs and figures. */
export interface Passage {
  readonly asked: RequestContext;
  readonly status: number;
  readonly code: string | undefined;
}

export interface PipelineOptions {
  readonly handlers: RouteHandlers;
  readonly keyRing: KeyRing;
  readonly turnstiles?: Turnstiles;
  /** How many are held at once, whoever they are. */
  readonly intake?: IntakeBounds | undefined;
  /** The bounds of a Tenancy that has none of its own. */
  readonly bounds?: Bounds;
  readonly contract?: Contract;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Whoever was let in is answered after so long, whatever it waits for. */
  readonly answerWithinMs?: number;
  /** How many bytes are kept of all bodies together that nobody has been found to have signed yet. */
  readonly mostUnproven?: number;
  readonly mostWhole?: number;
  /** Answers a repeated `Idempotency-Key` with its first outcome; without it the key is read and nothing is kept. */
  readonly once?: IdempotencyGuard;
  /** At once where nothing else is told. */
  readonly verify?: Verify | undefined;
  readonly observe?: (passage: Passage) => void;
  /** Runs the handler with the request's identifier at hand, so that what it logs carries it. */
  readonly withRequestId?: <T>(requestId: string, work: () => T) => T;
}

/** A request of which nothing speaks against it yet. */
type Unrefused = { readonly pieces: Pieces; readonly open: ReturnType<Router['match']> } | Presenting;

interface Presenting {
  readonly pieces: Pieces;
  readonly presented: Presented;
  /** At once, or whether it came to its turn in time. */
  readonly begins: true | Promise<boolean>;
}

/** Said before anything is known of who asks. */
const crowded: Refusal = refuse('unavailable');

/** What every request passes, from its first byte to its answer. */
export class RequestPipeline {
  readonly #router = new Router();
  readonly #intake: AdmissionControl;
  readonly #handlers: { readonly [name in RouteName]?: RouteHandler<never> };
  readonly #keyRing: KeyRing;
  readonly #turnstiles: Turnstiles;
  readonly #bounds: Bounds;
  readonly #inside: ResponseDeadline;
  readonly #unproven: Room;
  readonly #whole: Room;
  readonly #contract: Contract;
  readonly #now: () => number;
  readonly #once: IdempotencyGuard | undefined;
  readonly #verify: Verify;
  readonly #observe: PipelineOptions['observe'];
  readonly #withRequestId: NonNullable<PipelineOptions['withRequestId']>;

  constructor(options: PipelineOptions) {
    this.#keyRing = options.keyRing;
    this.#turnstiles = options.turnstiles ?? new Turnstiles();
    this.#bounds = options.bounds ?? defaultBounds;
    this.#unproven = new Room(options.mostUnproven ?? mostUnproven);
    this.#whole = new Room(options.mostWhole ?? mostWhole);
    this.#inside = new ResponseDeadline(options.answerWithinMs ?? answerWithinMs);
    this.#intake = new AdmissionControl(options.intake);
    this.#contract = options.contract ?? published;
    this.#now = options.now ?? Date.now;
    this.#once = options.once;
    this.#verify = options.verify ?? verifyAtOnce;
    this.#observe = options.observe;
    this.#withRequestId = options.withRequestId ?? ((_, work) => work());
    this.#handlers = { readBounds: (request: AuthorizedRequest) => this.#tellBounds(request), ...options.handlers };
    for (const name of Object.keys(this.#handlers) as RouteName[]) this.#router.add(name, routes[name]);
  }

  /** For Express, or for Node's own server. */
  readonly handle: RequestListener = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = new Exchange(request, response, this.#now(), baselineOf(this.#contract));
    let looked: Unrefused | Refusal;
    try {
      looked = this.#lookAt(exchange);
    } catch (thrown) {
      exchange.cause = thrown;
      looked = failure(thrown);
    }
    // Under overload most are turned away here: told at once, nothing of them is kept for a turn that comes later.
    if (isRefusal(looked)) this.#answer(exchange, looked);
    else void this.#pass(exchange, looked);
  };

  /** For who finds no room: answered from the head of what he asks. */
  readonly turnAway = {
    isOnGuard: (): boolean => this.#intake.wasFull,
    answer: (request: RequestHead): Sent | undefined => {
      if (!this.#intake.isFull) return undefined;
      const asked = new RequestContext(request, this.#now(), baselineOf(this.#contract));
      try {
        if (this.#lookAt(asked) !== crowded) return undefined;
      } catch {
        // It is told of where it is thrown again, by who hears him out.
        return undefined;
      }
      this.#observe?.({ asked, status: crowded.status, code: crowded.code });
      return asked.refused(crowded);
    },
  };

  async #pass(exchange: Exchange, unrefused: Unrefused): Promise<void> {
    let outcome: RouteResult;
    try {
      outcome = await this.#outcome(exchange, unrefused);
    } catch (thrown) {
      if (thrown instanceof Gone) return;
      exchange.cause = thrown;
      outcome = failure(thrown);
    } finally {
      // Whatever becomes of its line: of one that stands behind another nobody is told that it was cut.
      this.#whole.giveBack(exchange.held);
    }
    if (isRefusal(outcome) || outcome.stream === undefined) {
      this.#answer(exchange, outcome);
      return;
    }
    await exchange.stream(outcome, outcome.stream).catch((thrown) => this.#answerUnrendered(exchange, thrown));
    this.#observe?.({ asked: exchange, status: exchange.response.statusCode, code: undefined });
  }

  #answer(exchange: Exchange, outcome: RouteResult): void {
    const routed = retriedAsRouted(outcome, exchange.route);
    try {
      exchange.answer(routed);
    } catch (thrown) {
      this.#answerUnrendered(exchange, thrown);
    }
    const code = isRefusal(routed) ? routed.code : undefined;
    this.#observe?.({ asked: exchange, status: exchange.response.statusCode, code });
  }

  /** What cannot be rendered is our own fault as well, and says as little. */
  #answerUnrendered(exchange: Exchange, thrown: unknown): void {
    exchange.cause ??= thrown;
    exchange.answer(retriedAsRouted(failure(thrown), exchange.route));
  }

  /** What can be told of a request before anything of it is waited for. */
  #lookAt(asked: RequestContext): Unrefused | Refusal {
    const { head, method, path } = asked;
    const pieces = pathPieces(path);
    const open = this.#openRoute(method, pieces);
    // Whoever asks after the service's health states no version.
    const isProbe = open !== undefined && pieces.length === 1 && (path === '/livez' || path === '/readyz');
    const version = isProbe ? undefined : statedVersion(this.#contract, head.contractVersion);
    if (version !== undefined) {
      if (isRefusal(version)) return version;
      asked.version = version.version;
    }
    if (open !== undefined) return { pieces, open };
    const tooLong = declaredTooLong(head);
    if (tooLong) return closing(asked, tooLong);
    const presented = presentation(head, asked.receivedAt);
    if (presented === undefined) return unauthenticated;
    const begins = this.#intake.begin();
    return begins === false ? crowded : { pieces, presented, begins };
  }

  async #outcome(exchange: Exchange, unrefused: Unrefused): Promise<RouteResult> {
    if ('open' in unrefused) return this.#visit(exchange, unrefused.open);
    const authenticated = await this.#authenticate(exchange, unrefused);
    if (isRefusal(authenticated)) return authenticated;
    exchange.authenticated = authenticated;
    const { method } = exchange;
    const refused = permit(authenticated, tenantOf(unrefused.pieces), method);
    if (refused) return refused;

    const place = await this.#enter(exchange, authenticated);
    if (isRefusal(place)) return place;
    this.#intake.entered();
    try {
      const matched = this.#router.match(method, unrefused.pieces);
      if ('refusal' in matched) return this.#unmatched(exchange, matched);
      exchange.route = matched.name;
      return await this.#inside.answered(this.#serve(exchange, authenticated, matched));
    } finally {
      this.#intake.left();
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

  async #visit(exchange: Exchange, matched: ReturnType<Router['match']>): Promise<RouteResult> {
    if ('refusal' in matched) return this.#unmatched(exchange, matched);
    exchange.route = matched.name;
    const { requestId, callerRequestId, version, receivedAt, timing } = exchange;
    const visitor: PublicRequest = {
      route: matched.name,
      requestId,
      callerRequestId,
      version,
      receivedAt,
      timing,
      header: (name) => exchange.header(name),
    };
    const handle = this.#handlers[matched.name] as RouteHandler<PublicRequest>;
    return this.#withRequestId(requestId, () => handle(visitor));
  }

  #unmatched(exchange: Exchange, { refusal, allow }: { refusal: Refusal; allow?: string }): Refusal {
    if (allow !== undefined) exchange.headers['Allow'] = allow;
    return refusal;
  }

  async #authenticate(exchange: Exchange, { presented, begins }: Presenting): Promise<Authenticated | Refusal> {
    const { request, head, method, target } = exchange;
    const isBegun = begins === true || (await exchange.timing.measure('queue', () => begins));
    if (begins !== true && request.destroyed) throw new Gone();
    if (!isBegun) return crowded;
    const body = await readBytes(request, this.#unproven);
    if (isRefusal(body)) return body.code === 'body_too_large' ? closing(exchange, body) : body;
    const weight = weightOfWhole(body);
    if (!this.#whole.take(weight)) return crowded;
    exchange.held = weight;
    for (let looked = this.#keyRing.current?.(); looked !== undefined; looked = this.#keyRing.current?.()) await looked;
    const signed = { method, target, presented, idempotencyKey: head.idempotencyKey[0], body };
    return authenticate(this.#keyRing, signed, this.#verify);
  }

  async #enter(exchange: Exchange, { key }: Authenticated): Promise<Permit | Refusal> {
    const { tenancy } = key;
    const entered = this.#turnstiles.enter(tenancy.id, tenancy.bounds ?? this.#bounds);
    return entered instanceof Promise ? exchange.timing.measure('queue', () => entered) : entered;
  }

  async #serve(exchange: Exchange, authenticated: Authenticated, matched: Matched): Promise<RouteResult> {
    const admitted = takeIn(this.#contract, exchange, authenticated, matched, this.#now());
    if (isRefusal(admitted)) return admitted;
    if (admitted.idempotencyKey === undefined || this.#once === undefined) return this.#act(admitted);
    const once: IdempotentRequest = {
      admitted: admitted as IdempotentRequest['admitted'],
      act: () => this.#act(admitted).catch((thrown) => internalOutcome(exchange, thrown)),
      header: (name, value) => {
        exchange.headers[name] = value;
      },
    };
    return this.#once(once);
  }

  async #act(admitted: AuthorizedRequest): Promise<RouteResult> {
    const refused = fieldFault(admitted);
    if (refused) return refused;
    const handle = this.#handlers[admitted.route] as RouteHandler<AuthorizedRequest>;
    return this.#withRequestId(admitted.requestId, () => handle(admitted));
  }

  #tellBounds({ tenancy }: AuthorizedRequest): RouteResult {
    const { concurrent, patienceMs, perSecond, burst } = tenancy.bounds ?? this.#bounds;
    const source = tenancy.bounds === undefined ? 'default' : 'tenancy';
    return { status: 200, body: { concurrent, patience_ms: patienceMs, per_second: perSecond, burst, source } };
  }
}

/** Whoever waits for verdicts tells what came of some of a batch first: it looks for its own end ten times a second. */
const answerWithinMs = patienceMs + graceMs + 200;

/** Eight of the longest bodies, and hundreds of batches as they are. */
const mostUnproven = 64 * mebibyte;
/** Thirty-two of the longest: more of them than are decided in the patience of one. */
const mostWhole = 256 * mebibyte;

/** `/v1/openapi.json` is the longest path without a credential. */
const mostOpenPieces = 2;

/** Nothing of what went wrong is told: a caller can do nothing with it, and an attacker can. */
function failure(thrown: unknown): Refusal {
  return refuse(thrown instanceof DependencyUnavailableError ? 'unavailable' : 'internal_error');
}

/** Where an idempotency key is read our own fault is its outcome, whoever said it first: only a new key gets another. */
function retriedAsRouted(outcome: RouteResult, route: RouteName | undefined): RouteResult {
  if (!isRefusal(outcome) || outcome.code !== 'internal_error') return outcome;
  return route !== undefined && routes[route].keyed ? { ...outcome, retry: 'after_change' } : outcome;
}

/** Under an idempotency key our own fault is an outcome like another; a store that is away is none. */
function internalOutcome(exchange: Exchange, thrown: unknown): Refusal {
  if (thrown instanceof DependencyUnavailableError) throw thrown;
  exchange.cause = thrown;
  return failure(thrown);
}

function closing(asked: RequestContext, refusal: Refusal): Refusal {
  asked.headers['Connection'] = 'close';
  return refusal;
}
