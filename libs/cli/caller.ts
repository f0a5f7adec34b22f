/** A signing client of the service for the commands of a caller. Repeats requests that may be sent again unchanged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { contract } from '#libs/api/contract-versions.ts';
import { authorizationHeader, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { callerSettings } from '#libs/runtime/settings.ts';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import { UsageError } from './command.ts';
import type { CallerCommandOptions } from './commands/caller-options.ts';
import { type ConnectionFailure, explainFailure } from './connection-failure.ts';
import { type RefusalEnvelope, RefusedError } from './refused-error.ts';
import { retryAfterSeconds } from './retry-after.ts';

export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  readonly failure: ConnectionFailure;

  constructor(baseUrl: string, cause: unknown, timeoutMs?: number) {
    const failure = explainFailure(cause, timeoutMs);
    const { code, reason, hint } = failure;
    const reasons = [...(code === undefined ? [] : [code]), reason].join(', ');
    super(`${baseUrl} does not answer: ${reasons}.\n${hint}`, { cause });
    this.failure = failure;
  }
}

type CallerSettings = {
  readonly baseUrl: string;
  readonly signer: Signer;
  /** Without it the oldest version is requested. */
  readonly contractVersion?: string;
};

type CallerConfig = CallerSettings & {
  readonly tenantId: string;
  /** How long a request is repeated. */
  readonly retryTimeoutMs?: number;
  /** Also the first request of this process is repeated where it gets no response. */
  readonly waitsForService?: boolean;
};

/** Of requests that are repeated. */
type CallerMethod = 'GET' | 'POST' | 'PUT';

type SendOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal;
  /** Until the last byte of the answer. */
  readonly timeoutMs?: number;
};

type Attempt<Answer> =
  | { readonly answer: Answer }
  | { readonly failure: Error; readonly retryAfter?: number | undefined };

/** One request, without retries. */
export async function sendSigned(
  { baseUrl, signer, contractVersion }: CallerSettings,
  method: string,
  target: string,
  {
    headers = {},
    body,
    idempotencyKey,
    timeoutMs,
    signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs),
  }: SendOptions = {},
): Promise<Response> {
  return await fetch(baseUrl + target, {
    method,
    headers: {
      Authorization: authorizationHeader(signer, { method, target, body, idempotencyKey, nowMs: Date.now() }),
      ...(contractVersion === undefined ? {} : { 'Contract-Version': contractVersion }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw new NoResponseError(baseUrl, cause, timeoutMs);
  });
}

const responseTimeoutMs = 30_000;
const maxPauseMs = 10_000;
const defaultRetryTimeoutMs = 60_000;

export class Caller {
  readonly tenantId: string;
  readonly baseUrl: string;
  readonly #settings: CallerSettings;
  readonly #retryTimeoutMs: number;
  readonly #retryNotice: RetryNotice;
  /** False until the service answered once: until then no response means a wrong address rather than a restart. */
  #waitsForService: boolean;

  constructor({
    tenantId,
    retryTimeoutMs = defaultRetryTimeoutMs,
    waitsForService = false,
    ...settings
  }: CallerConfig) {
    this.#settings = settings;
    this.tenantId = tenantId;
    this.baseUrl = settings.baseUrl;
    this.#retryTimeoutMs = retryTimeoutMs;
    this.#waitsForService = waitsForService;
    this.#retryNotice = new RetryNotice(settings.baseUrl);
  }

  /** The response body of a read, or of a write that its references make safe to repeat. Throws RefusedError. */
  request<Answer>(method: CallerMethod, path: string, body?: string): Promise<Answer> {
    return this.#retryNotice.during(this.#requestWithRetries<Answer>(method, path, body));
  }

  async #requestWithRetries<Answer>(method: CallerMethod, path: string, body: string | undefined): Promise<Answer> {
    const deadline = Date.now() + this.#retryTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      const result = await this.#attempt<Answer>(method, path, body);
      if ('answer' in result) return result.answer;
      const pause = pauseMs(attempt, result.retryAfter);
      if (!this.#isWorthRepeating(result.failure) || Date.now() + pause > deadline) throw result.failure;
      await sleep(pause);
    }
  }

  #isWorthRepeating(failure: Error): boolean {
    return this.#waitsForService || !(failure instanceof NoResponseError);
  }

  /** One request, without retries. */
  send(method: string, path: string, options?: SendOptions): Promise<Response> {
    const target = `/v1/tenants/${this.tenantId}${path}`;
    return this.#retryNotice.during(sendSigned(this.#settings, method, target, options));
  }

  async #attempt<Answer>(method: string, path: string, body: string | undefined): Promise<Attempt<Answer>> {
    let response: Response;
    let text: string;
    try {
      response = await this.send(method, path, { body, timeoutMs: responseTimeoutMs });
      text = await response.text();
    } catch (cause) {
      if (cause instanceof NoResponseError) return { failure: cause };
      return { failure: new NoResponseError(this.baseUrl, cause, responseTimeoutMs) };
    }
    this.#waitsForService = true;
    if (response.ok) return { answer: JSON.parse(text) as Answer };
    const refused = parseRefusal(response.status, text);
    if (!isRepeatable(refused)) throw refused;
    return { failure: refused, retryAfter: retryAfterOf(refused, response.headers) };
  }
}

export function isRepeatable(refused: RefusedError): boolean {
  return refused.envelope.retry === 'as_is';
}

/** A proxy in between states it in the header alone. */
function retryAfterOf({ envelope }: RefusedError, headers: Headers): number | undefined {
  return envelope.retry_after ?? retryAfterSeconds(headers.get('Retry-After'), Date.now());
}

/** A body that is not a refusal envelope comes from a proxy in between, not from the service. */
export function parseRefusal(status: number, text: string): RefusedError {
  try {
    const envelope = JSON.parse(text) as RefusalEnvelope;
    if (typeof envelope.code === 'string' && typeof envelope.error === 'string') {
      return new RefusedError(status, envelope);
    }
  } catch {}
  const retry = status >= 500 || status === 429 ? 'as_is' : 'after_change';
  return new RefusedError(status, {
    error: text.slice(0, 200).trim() || 'empty response, not from the service',
    code: 'unknown',
    retry,
  });
}

/** At least the Retry-After of the service, with jitter: refused callers must not all return at once. */
export function pauseMs(attempt: number, retryAfter: number | undefined): number {
  const backoff = Math.min(maxPauseMs, 200 * 2 ** attempt);
  return (retryAfter ?? 0) * 1_000 + backoff * (0.5 + Math.random() / 2);
}

const noticeDelayMs = 2_000;

/** Prints once that a request is still waiting, so that a slow command does not look stuck. */
export class RetryNotice {
  readonly #baseUrl: string;
  readonly #delayMs: number;
  #isPrinted = false;

  constructor(baseUrl: string, delayMs = noticeDelayMs) {
    this.#baseUrl = baseUrl;
    this.#delayMs = delayMs;
  }

  async during<Result>(pending: Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => this.#print(), this.#delayMs);
    try {
      return await pending;
    } finally {
      clearTimeout(timer);
    }
  }

  #print(): void {
    if (this.#isPrinted) return;
    this.#isPrinted = true;
    console.error(`Still waiting for ${this.#baseUrl}`);
  }
}

/** The address, signer and contract version of a caller, from the options and the environment. */
export function readCallerSettings({ contractVersion }: Pick<CallerCommandOptions, 'contractVersion'>): CallerSettings {
  const { url: baseUrl, key: secret } = readConfig(process.env, callerSettings);
  if (!baseUrl || !secret) {
    const missing = [baseUrl ? [] : ['LENDING_URL'], secret ? [] : ['LENDING_KEY']].flat();
    throw new UsageError(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set; set the service's URL and a key's secret, use a profile (lending profile set), or run npm start and leave LENDING_URL out`,
    );
  }
  if (!URL.canParse(baseUrl) || !/^https?:\/\//.test(baseUrl)) {
    throw new UsageError(
      `LENDING_URL is ${JSON.stringify(baseUrl)}; expected an address such as https://lending.example`,
    );
  }
  const signer = parseSigner(secret);
  // The value is not printed, because it is a secret.
  if (signer === undefined) {
    throw new UsageError('LENDING_KEY is not the secret of a key; expected lsk_test_… or lsk_live_…');
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    signer,
    contractVersion: contractVersion ?? newestContractVersion,
  };
}

const newestContractVersion = String(contract.versions.at(-1)?.version);

/** The Tenancy is that of --tenant, else of LENDING_TENANT. */
export function callerFor(options: CallerCommandOptions, defaultRetryMs = defaultRetryTimeoutMs): Caller {
  const settings = readCallerSettings(options);
  const tenantId = options.tenant ?? readConfig(process.env, callerSettings).tenant ?? '';
  if (tenantId === '')
    throw new UsageError(
      'no Tenancy is given; set --tenant or LENDING_TENANT (that of npm start is used with its own key only)',
    );
  // That of --tenant is checked before the command runs.
  if (!isIdentifier(tenantId)) {
    throw new UsageError(
      `LENDING_TENANT is ${JSON.stringify(tenantId)}; expected the id of a Tenancy: 1 to 64 letters, digits, - and _`,
    );
  }
  return new Caller({
    ...settings,
    tenantId,
    retryTimeoutMs: options.patience ?? defaultRetryMs,
    waitsForService: options.patience !== undefined,
  });
}
