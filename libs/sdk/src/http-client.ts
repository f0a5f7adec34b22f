/** Sends requests, signs each attempt, and turns responses into answers or errors. */

import { parseBaseUrl, parseKey, parsePatience } from './client-options.ts';
import { parseRefusal, RefusalError, UnreachableError } from './errors.ts';
import { type Clock, type Patience, type RetryOptions, systemClock, withRetries } from './retry.ts';
import { authorizationHeader, openSigner, type Signer } from './signing.ts';

export interface HttpClientOptions {
  /** Scheme and host, such as https://lending.example; by default LENDING_URL. */
  readonly baseUrl?: string | undefined;
  /** The secret of a key, or a signer; by default LENDING_KEY. */
  readonly key?: string | Signer | undefined;
  /** How long one attempt may take, by default 15,000. */
  readonly answerTimeoutMs?: number;
  readonly patience?: Partial<Patience>;
  /** The version of the contract to request; by default the one this package was generated from. */
  readonly contractVersion?: string;
  readonly onRetry?: RetryOptions['onRetry'];
  /** Called for every response, refusals included: for the log of the caller. */
  readonly onAnswer?: ((answered: AnsweredRequest) => void) | undefined;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

export interface OutgoingRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** JSON. */
  readonly body?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How the response body is read. */
  readonly reads?: 'json' | 'text';
}

export interface AnsweredRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  /** The service's identifier of the request; empty where a proxy answered. */
  readonly requestId: string;
  /** `Deprecation`, `Sunset` and `Link` say that the answer depends on what will change. */
  readonly headers: Headers;
}

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  readonly requestId: string;
}

const answerWithinMs = 15_000;
const utf8 = new TextEncoder();

export class HttpClient {
  readonly clock: Clock;
  readonly patience: Patience;
  readonly onRetry: RetryOptions['onRetry'];
  readonly #options: HttpClientOptions;
  readonly #contractVersion: string;
  readonly #fetch: typeof fetch;
  readonly #base: URL;
  readonly #key: string | Signer;
  #signer: Promise<Signer> | undefined;

  constructor(options: HttpClientOptions, contractVersion: string) {
    this.#options = options;
    this.onRetry = options.onRetry;
    this.#contractVersion = options.contractVersion ?? contractVersion;
    this.#base = parseBaseUrl(options.baseUrl);
    this.#key = parseKey(options.key);
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.clock = options.clock ?? systemClock;
    this.patience = parsePatience(options.patience);
  }

  /** Retries until an answer, a refusal that a retry cannot change, or the end of the retry time. */
  send<Body>(outgoing: OutgoingRequest): Promise<Answer<Body>> {
    const { patience, clock, onRetry } = this;
    const { signal } = outgoing;
    return withRetries({ patience, clock, signal, onRetry }, (outcomeUnknown) =>
      this.#attempt<Body>(outgoing, outcomeUnknown),
    );
  }

  /** One attempt of a read whose body is a stream. */
  async open(outgoing: OutgoingRequest): Promise<Response> {
    const request = await this.#prepare(outgoing);
    const { signal } = outgoing;
    const fail = (cause: unknown): never => {
      signal?.throwIfAborted();
      throw this.unreachable(outgoing, cause, false);
    };
    const init = { ...request.init, ...(signal === undefined ? {} : { signal }) };
    const response = await this.#fetch(request.url, init).catch(fail);
    this.#reportAnswer(outgoing, response);
    if (response.ok) return response;
    throw this.#failure(outgoing, response, await response.text().catch(fail), false);
  }

  /** Names the full URL, because a wrong address is as likely as a failed service. */
  unreachable(
    { method, target }: Pick<OutgoingRequest, 'method' | 'target'>,
    cause: unknown,
    outcomeUnknown: boolean,
    repeat?: ConstructorParameters<typeof UnreachableError>[3],
  ) {
    return new UnreachableError(`${method} ${this.#base.origin}${target}`, cause, outcomeUnknown, repeat);
  }

  async #attempt<Body>(outgoing: OutgoingRequest, mayBeRecorded: boolean): Promise<Answer<Body>> {
    const request = await this.#prepare(outgoing);
    const { method, signal, reads = 'json' } = outgoing;
    const { answerTimeoutMs = answerWithinMs } = this.#options;
    const timeout = AbortSignal.timeout(answerTimeoutMs);
    let response: Response;
    let text: string;
    try {
      const anySignal = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      response = await this.#fetch(request.url, { ...request.init, signal: anySignal });
      text = await response.text();
    } catch (cause) {
      // An abort by the caller is not a failure of the service.
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `nothing within ${answerTimeoutMs} ms (answerTimeoutMs)` : cause;
      throw this.unreachable(outgoing, reason, method !== 'GET');
    }
    this.#reportAnswer(outgoing, response);
    const { status, headers } = response;
    const body = reads === 'text' ? text : parseJson(text);
    if (status !== 304 && (!response.ok || body === undefined))
      throw this.#failure(outgoing, response, text, mayBeRecorded);
    return { status, body: body as Body, headers, requestId: headers.get('Request-Id') ?? '' };
  }

  #reportAnswer({ method, target }: OutgoingRequest, { status, headers }: Response): void {
    const requestId = headers.get('Request-Id') ?? '';
    this.#options.onAnswer?.({ method, target, status, requestId, headers });
  }

  async #prepare({
    method,
    target,
    body,
    idempotencyKey,
    headers,
  }: OutgoingRequest): Promise<{ url: URL; init: RequestInit }> {
    const url = new URL(target, this.#base);
    const bytes = utf8.encode(body ?? '');
    this.#signer ??= signerOf(this.#key);
    const Authorization = await authorizationHeader(await this.#signer, {
      method,
      // The normalized URL is what is sent on the request line.
      target: url.pathname + url.search,
      body: bytes,
      idempotencyKey,
      ts: Math.floor(this.clock.now() / 1_000),
    });
    const init: RequestInit = {
      method,
      redirect: 'error',
      headers: {
        Authorization,
        'Contract-Version': this.#contractVersion,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bytes }),
    };
    return { url, init };
  }

  #failure(outgoing: OutgoingRequest, { status, ok, headers }: Response, text: string, mayBeRecorded: boolean) {
    const { method, target } = outgoing;
    const refusal = ok ? undefined : parseRefusal(parseJson(text));
    const outcomeUnknown =
      method !== 'GET' &&
      (refusal === undefined || status >= 500 || (mayBeRecorded && !isFinalForReference(status, refusal)));
    if (refusal !== undefined) return new RefusalError(`${method} ${target}`, status, refusal, outcomeUnknown);
    const retryAfter = wholeSeconds(headers.get('Retry-After'));
    const reason = `${status}, not an answer of the lending service: check baseUrl and what is between`;
    // A success that cannot be read was cut off on the way.
    const isTemporary = ok || status === 429 || status >= 500;
    return this.unreachable(outgoing, reason, outcomeUnknown, { retryAfter, isTemporary });
  }
}

async function signerOf(key: string | Signer): Promise<Signer> {
  return typeof key === 'string' ? openSigner(key) : key;
}

/** True where the service had looked up the reference: then no earlier attempt was recorded. */
function isFinalForReference(status: number, { retry }: { readonly retry: string }): boolean {
  return (status === 404 || status === 409 || status === 422) && retry !== 'as_is';
}

/** Undefined for a header that is absent, or a date. */
function wholeSeconds(header: string | null): number | undefined {
  return /^\d{1,9}$/.test(header ?? '') ? Number(header) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
