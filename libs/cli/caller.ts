/** A caller of the service: signs what it sends, and sends again what may be sent again as it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { authorize, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { isIdentifier } from '#libs/schema/form.ts';
import { type Typed, text, UsageError } from './command.ts';
import { StillTrying } from './still-trying.ts';

/** A refusal as the service tells it. */
export type Envelope = {
  readonly error: string;
  readonly code: string;
  readonly retry: string;
  readonly retry_after?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly request_id?: string;
};

export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly envelope: Envelope;

  constructor(status: number, envelope: Envelope) {
    super(`${envelope.error} (${status} ${envelope.code})`);
    this.status = status;
    this.envelope = envelope;
  }
}

/** Nobody answered, or nobody could, for as long as it was worth asking. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

export type CallerOptions = {
  readonly baseUrl: string;
  readonly signer: Signer;
  readonly tenantId: string;
  /** For how long what may be sent again is sent again. */
  readonly patienceMs?: number;
};

const answerWithinMs = 30_000;
const longestPauseMs = 10_000;

export class Caller {
  readonly tenantId: string;
  readonly #baseUrl: string;
  readonly #signer: Signer;
  readonly #patienceMs: number;
  readonly #stillTrying: StillTrying;

  constructor({ baseUrl, signer, tenantId, patienceMs = 60_000 }: CallerOptions) {
    this.#baseUrl = baseUrl;
    this.#signer = signer;
    this.tenantId = tenantId;
    this.#patienceMs = patienceMs;
    this.#stillTrying = new StillTrying(baseUrl);
  }

  /** The answer of a read, or of a mutation that is safe to repeat under its references. Throws what was refused. */
  ask<Answer>(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer> {
    return this.#stillTrying.during(this.#askAgain<Answer>(method, path, body));
  }

  async #askAgain<Answer>(method: 'GET' | 'POST', path: string, body: string | undefined): Promise<Answer> {
    const until = Date.now() + this.#patienceMs;
    for (let attempt = 0; ; attempt += 1) {
      const tried = await this.#try<Answer>(method, path, body);
      if ('answer' in tried) return tried.answer;
      const pause = pauseMs(attempt, tried.retryAfter);
      if (Date.now() + pause > until) throw tried.cause;
      await sleep(pause);
    }
  }

  /** One request, whatever comes of it. */
  async send(method: string, path: string, { headers = {}, body, signal }: Sending = {}): Promise<Response> {
    const target = `/v1/tenants/${this.tenantId}${path}`;
    const sent = fetch(this.#baseUrl + target, {
      method,
      headers: {
        Authorization: authorize(this.#signer, { method, target, body, nowMs: Date.now() }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((cause: unknown) => {
      throw unansweredBecause(this.#baseUrl, cause);
    });
    return await this.#stillTrying.during(sent);
  }

  async #try<Answer>(method: string, path: string, body: string | undefined): Promise<Tried<Answer>> {
    let answer: Response;
    let said: string;
    try {
      answer = await this.send(method, path, { body, signal: AbortSignal.timeout(answerWithinMs) });
      said = await answer.text();
    } catch (cause) {
      return { cause: cause instanceof Unanswered ? cause : unansweredBecause(this.#baseUrl, cause) };
    }
    if (answer.ok) return { answer: JSON.parse(said) as Answer };
    const refused = refusalOf(answer.status, said);
    if (!isAsIs(refused)) throw refused;
    return { cause: refused, retryAfter: refused.envelope.retry_after };
  }
}

type Sending = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
};

type Tried<Answer> = { readonly answer: Answer } | { readonly cause: Error; readonly retryAfter?: number | undefined };

export function isAsIs(refused: Refused): boolean {
  return refused.envelope.retry === 'as_is';
}

/** What is no envelope did not come from the service but from something in between. */
export function refusalOf(status: number, said: string): Refused {
  try {
    const envelope = JSON.parse(said) as Envelope;
    if (typeof envelope.code === 'string' && typeof envelope.error === 'string') return new Refused(status, envelope);
  } catch {}
  const retry = status >= 500 || status === 429 ? 'as_is' : 'after_change';
  return new Refused(status, {
    error: said.slice(0, 200).trim() || 'no answer of the service',
    code: 'unknown',
    retry,
  });
}

export function unansweredBecause(baseUrl: string, cause: unknown): Unanswered {
  const inner = (cause as { cause?: { code?: string } }).cause?.code;
  const why = inner ?? (cause instanceof Error ? cause.message : String(cause));
  return new Unanswered(`${baseUrl} does not answer: ${why}`);
}

/** At least what the service asks for; many who were refused at once must not come back at once. */
export function pauseMs(attempt: number, retryAfter: number | undefined): number {
  const backOff = Math.min(longestPauseMs, 200 * 2 ** attempt);
  return (retryAfter ?? 0) * 1_000 + backOff * (0.5 + Math.random() / 2);
}

/** Who calls is told by the environment, the Tenancy by `--tenant` as well. */
export function callerOf({ options }: Typed, patienceMs?: number): Caller {
  const { LENDING_URL: baseUrl, LENDING_KEY: secret, LENDING_TENANT: told } = process.env;
  if (!baseUrl || !secret)
    throw new UsageError('LENDING_URL and LENDING_KEY say where to and as whom; npm start sets both while it runs');
  const signer = signerFromText(secret);
  if (signer === undefined) throw new UsageError('LENDING_KEY is no secret of a key: lsk_test_… or lsk_live_…');
  const tenantId = text(options['tenant']) ?? told;
  if (tenantId === undefined || tenantId === '') throw new UsageError('--tenant or LENDING_TENANT says whose book');
  if (!isIdentifier(tenantId)) throw new UsageError('a Tenancy is 1 to 64 letters, digits, - and _');
  return new Caller({ baseUrl, signer, tenantId, ...(patienceMs === undefined ? {} : { patienceMs }) });
}
