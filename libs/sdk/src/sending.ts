/** One request, signed anew at every attempt, and what came of it. */
import { LendingError, LendingUnreachable, refusalOf } from './errors.ts';
import { baseOf, keyOf, patienceOf } from './given-options.ts';
import { type Patience, type Retrying, retrying, theWorld, type World } from './retrying.ts';
import { authorize, openSigner, type Signer } from './signing.ts';

export interface LineOptions {
  /** The host alone: https://lending.example. */
  readonly baseUrl: string;
  /** The secret of a key, or whatever signs in its place. */
  readonly key: string | Signer;
  /** How long one attempt may take. */
  readonly answerWithinMs?: number;
  readonly patience?: Partial<Patience>;
  /** The version of the contract that is stated: the one this package was made from, where it is left out. */
  readonly contractVersion?: string;
  readonly onRetry?: Retrying['onRetry'];
  readonly fetch?: typeof fetch;
  readonly world?: World;
}

export interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** JSON. */
  readonly body?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the answer is read as. */
  readonly reads?: 'json' | 'text';
}

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  readonly requestId: string;
}

const answerWithinMs = 15_000;
const utf8 = new TextEncoder();

export class Line {
  readonly world: World;
  readonly patience: Patience;
  readonly #options: LineOptions;
  readonly #contractVersion: string;
  readonly #fetch: typeof fetch;
  readonly #base: URL;
  readonly #key: string | Signer;
  #signer: Promise<Signer> | undefined;

  constructor(options: LineOptions, contractVersion: string) {
    this.#options = options;
    this.#contractVersion = options.contractVersion ?? contractVersion;
    this.#base = baseOf(options.baseUrl);
    this.#key = keyOf(options.key);
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.world = options.world ?? theWorld;
    this.patience = patienceOf(options.patience);
  }

  /** Sent until it is answered, refused for good, or patience ends. */
  send<Body>(outgoing: Outgoing): Promise<Answer<Body>> {
    const { onRetry } = this.#options;
    const { signal } = outgoing;
    return retrying({ patience: this.patience, world: this.world, signal, onRetry }, (outcomeUnknown) =>
      this.#attempt<Body>(outgoing, outcomeUnknown),
    );
  }

  /** One attempt of a read whose body is taken as it comes. */
  async open(outgoing: Outgoing): Promise<Response> {
    const request = await this.#prepare(outgoing);
    const { signal } = outgoing;
    let text = '';
    let response: Response;
    try {
      response = await this.#fetch(request.url, { ...request.init, ...(signal === undefined ? {} : { signal }) });
      if (response.ok) return response;
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      throw this.unreachable(outgoing, cause, false);
    }
    throw this.#failure(outgoing, response, text, false);
  }

  /** Says where an answer was looked for: what is wrong is as often the address as the service. */
  unreachable({ method, target }: Pick<Outgoing, 'method' | 'target'>, cause: unknown, outcomeUnknown: boolean) {
    return new LendingUnreachable(`${method} ${this.#base.origin}${target}`, cause, outcomeUnknown);
  }

  async #attempt<Body>(outgoing: Outgoing, before: boolean): Promise<Answer<Body>> {
    const request = await this.#prepare(outgoing);
    const { method, signal, reads = 'json' } = outgoing;
    const late = AbortSignal.timeout(this.#options.answerWithinMs ?? answerWithinMs);
    let response: Response;
    let text: string;
    try {
      const ends = signal === undefined ? late : AbortSignal.any([signal, late]);
      response = await this.#fetch(request.url, { ...request.init, signal: ends });
      text = await response.text();
    } catch (cause) {
      // The caller's own word to stop is no failure of the service.
      signal?.throwIfAborted();
      throw this.unreachable(outgoing, cause, method !== 'GET');
    }
    const { status, headers } = response;
    const body = reads === 'text' ? text : jsonOf(text);
    if (status !== 304 && (!response.ok || body === undefined)) throw this.#failure(outgoing, response, text, before);
    return { status, body: body as Body, headers, requestId: headers.get('Request-Id') ?? '' };
  }

  async #prepare({
    method,
    target,
    body,
    idempotencyKey,
    headers,
  }: Outgoing): Promise<{ url: URL; init: RequestInit }> {
    const url = new URL(target, this.#base);
    const bytes = utf8.encode(body ?? '');
    this.#signer ??= signerOf(this.#key);
    const Authorization = await authorize(await this.#signer, {
      method,
      // What the address became is what goes on the request line.
      target: url.pathname + url.search,
      body: bytes,
      idempotencyKey,
      ts: Math.floor(this.world.now() / 1_000),
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

  #failure(outgoing: Outgoing, { status, ok }: Response, text: string, before: boolean) {
    const { method, target } = outgoing;
    const refusal = ok ? undefined : refusalOf(jsonOf(text));
    const outcomeUnknown =
      method !== 'GET' && (refusal === undefined || status >= 500 || (before && !isDecided(status, refusal)));
    if (refusal !== undefined) return new LendingError(`${method} ${target}`, status, refusal, outcomeUnknown);
    return this.unreachable(outgoing, `${status} from something on the way`, outcomeUnknown);
  }
}

async function signerOf(key: string | Signer): Promise<Signer> {
  return typeof key === 'string' ? openSigner(key) : key;
}

/** Whether the refusal came after the reference was looked up, and so tells of the attempts before it as well. */
function isDecided(status: number, { retry }: { readonly retry: string }): boolean {
  return (status === 404 || status === 409 || status === 422) && retry !== 'as_is';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
