/** A signing client of the service for the commands of a caller. Repeats requests that may be sent again unchanged. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { authorizationHeader, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { callerSettings as callerVariables } from '#libs/runtime/settings.ts';
import { parseTenancyId, UsageError } from './command.ts';

/** The body of a refusal. */
export type RefusalEnvelope = {
  readonly error: string;
  readonly code: string;
  readonly retry: string;
  readonly retry_after?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly request_id?: string;
};

export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly envelope: RefusalEnvelope;

  constructor(status: number, envelope: RefusalEnvelope) {
    super(`${envelope.error} (${status} ${envelope.code})`);
    this.status = status;
    this.envelope = envelope;
  }
}

export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';

  constructor(baseUrl: string, cause: unknown) {
    const code = (cause as { cause?: { code?: string } }).cause?.code;
    const reason = code ?? (cause instanceof Error ? cause.message : String(cause));
    super(`${baseUrl} does not answer: ${reason}`, { cause });
  }
}

type CallerSettings = { readonly baseUrl: string; readonly signer: Signer };

export type CallerOptions = CallerSettings & {
  readonly tenantId: string;
  /** How long a request is repeated. */
  readonly retryTimeoutMs?: number;
};

type SendOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
};

type Attempt<Answer> =
  | { readonly answer: Answer }
  | { readonly failure: Error; readonly retryAfter?: number | undefined };

/** One request, without retries. */
export async function sendSigned(
  { baseUrl, signer }: CallerSettings,
  method: string,
  target: string,
  { headers = {}, body, signal }: SendOptions = {},
): Promise<Response> {
  return await fetch(baseUrl + target, {
    method,
    headers: {
      Authorization: authorizationHeader(signer, { method, target, body, nowMs: Date.now() }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw new NoResponseError(baseUrl, cause);
  });
}

const responseTimeoutMs = 30_000;
const maxPauseMs = 10_000;
const defaultRetryTimeoutMs = 60_000;

export class Caller {
  readonly tenantId: string;
  readonly #settings: CallerSettings;
  readonly #retryTimeoutMs: number;
  readonly #retryNotice: RetryNotice;

  constructor({ baseUrl, signer, tenantId, retryTimeoutMs = defaultRetryTimeoutMs }: CallerOptions) {
    this.#settings = { baseUrl, signer };
    this.tenantId = tenantId;
    this.#retryTimeoutMs = retryTimeoutMs;
    this.#retryNotice = new RetryNotice(baseUrl);
  }

  /** The response body of a read, or of a write that its references make safe to repeat. Throws RefusedError. */
  request<Answer>(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> {
    return this.#retryNotice.during(this.#requestWithRetries<Answer>(method, path, body));
  }

  async #requestWithRetries<Answer>(method: 'GET' | 'POST', path: string, body: string | undefined): Promise<Answer> {
    const deadline = Date.now() + this.#retryTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      const result = await this.#attempt<Answer>(method, path, body);
      if ('answer' in result) return result.answer;
      const pause = pauseMs(attempt, result.retryAfter);
      if (Date.now() + pause > deadline) throw result.failure;
      await sleep(pause);
    }
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
      response = await this.send(method, path, { body, signal: AbortSignal.timeout(responseTimeoutMs) });
      text = await response.text();
    } catch (cause) {
      return { failure: cause instanceof NoResponseError ? cause : new NoResponseError(this.#settings.baseUrl, cause) };
    }
    if (response.ok) return { answer: JSON.parse(text) as Answer };
    const refused = parseRefusal(response.status, text);
    if (!isRepeatable(refused)) throw refused;
    return { failure: refused, retryAfter: refused.envelope.retry_after };
  }
}

export function isRepeatable(refused: RefusedError): boolean {
  return refused.envelope.retry === 'as_is';
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

/** The address and signer of a caller, from the environment. */
export function callerSettings(): CallerSettings {
  const { url: baseUrl, key: secret } = readConfig(process.env, callerVariables);
  if (!baseUrl || !secret) {
    const missing = [baseUrl ? [] : ['LENDING_URL'], secret ? [] : ['LENDING_KEY']].flat().join(' and ');
    throw new UsageError(`${missing} is not set; set the service's URL and a key's secret, or run npm start`);
  }
  const signer = parseSigner(secret);
  // The value is not printed, because it is a secret.
  if (signer === undefined) {
    throw new UsageError('LENDING_KEY is not the secret of a key; expected lsk_test_… or lsk_live_…');
  }
  return { baseUrl, signer };
}

/** The Tenancy is that of --tenant, else of LENDING_TENANT. */
export function callerFor({ tenant }: { readonly tenant?: string }, retryTimeoutMs?: number): Caller {
  const settings = callerSettings();
  const tenantId = tenant ?? readConfig(process.env, callerVariables).tenant ?? '';
  if (tenantId === '') throw new UsageError('no Tenancy is given; set --tenant or LENDING_TENANT');
  return new Caller({
    ...settings,
    tenantId: parseTenancyId(tenantId),
    ...(retryTimeoutMs === undefined ? {} : { retryTimeoutMs }),
  });
}

export function addTenantOption(command: Command): Command {
  return command.option('--tenant <id>', 'the Tenancy (default: LENDING_TENANT)', parseTenancyId);
}
