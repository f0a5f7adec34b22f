/** The errors of a request. */

import { remedies } from './contract/remedies.ts';
import type { Refusal, RefusalDetails, Retry } from './contract/shapes.ts';

/** A request failed: a RefusalError or an UnreachableError. */
export abstract class LendingError extends Error {
  /** True where a failed write may be recorded all the same. Sent again, its reference gives the recorded answer. */
  readonly outcomeUnknown: boolean;
  /** Seconds, where the service or a proxy states them. */
  readonly retryAfter: number | undefined;

  constructor(message: string, outcomeUnknown: boolean, retryAfter: number | undefined, options?: ErrorOptions) {
    super(message, options);
    this.outcomeUnknown = outcomeUnknown;
    this.retryAfter = retryAfter;
  }
}

/** The service refused. */
export class RefusalError extends LendingError {
  readonly status: number;
  /** Stable: code may branch on it. A later version of the service may send codes that are not listed. */
  readonly code: Refusal['code'];
  /** Whether to send the request again: unchanged, after another record, after a change, or never. */
  readonly retry: Retry;
  readonly details: RefusalDetails;
  readonly requestId: string;
  /** What the caller does about this code, in a sentence; undefined for a code of a later version. */
  readonly remedy: string | undefined;

  constructor(request: string, status: number, refusal: Refusal, outcomeUnknown: boolean) {
    const message = `${request}: ${status} ${refusal.code}: ${refusal.error}${formatDetails(refusal.details)}`;
    super(message, outcomeUnknown, refusal.retry_after);
    this.name = 'RefusalError';
    this.status = status;
    this.code = refusal.code;
    this.retry = refusal.retry;
    this.details = refusal.details ?? {};
    this.requestId = refusal.request_id;
    this.remedy = Object.hasOwn(remedies, refusal.code) ? remedies[refusal.code] : undefined;
  }
}

interface Repeat {
  readonly retryAfter?: number | undefined;
  readonly isTemporary?: boolean;
}

/** The service did not answer: no connection, no response in time, or a response of something else. */
export class UnreachableError extends LendingError {
  /** Of the innermost cause, such as ECONNREFUSED, ENOTFOUND or CERT_HAS_EXPIRED; undefined where it has none. */
  readonly code: string | undefined;
  /** False where another server than the service refused: a repeat would be refused as well. */
  readonly isTemporary: boolean;

  constructor(
    request: string,
    cause: unknown,
    outcomeUnknown: boolean,
    { retryAfter, isTemporary = true }: Repeat = {},
  ) {
    const { code, message } = innermostCause(cause);
    super(`${request}: no answer of the service: ${message}`, outcomeUnknown, retryAfter, { cause });
    this.name = 'UnreachableError';
    this.code = code;
    this.isTemporary = isTemporary;
  }
}

/** `fetch` fails with "fetch failed" alone; the reason is inside, and for a host with several addresses once for each. */
export function innermostCause(failure: unknown): { readonly code: string | undefined; readonly message: string } {
  if (typeof failure !== 'object' || failure === null) return { code: undefined, message: String(failure) };
  const { cause, errors, code, message } = failure as {
    readonly [Member in 'cause' | 'errors' | 'code' | 'message']?: unknown;
  };
  const inner: unknown = Array.isArray(errors) && errors.length > 0 ? errors[0] : cause;
  if (typeof inner === 'object' && inner !== null) return innermostCause(inner);
  return { code: typeof code === 'string' ? code : undefined, message: String(message ?? failure) };
}

function formatDetails(details: Refusal['details']): string {
  return details === undefined || Object.keys(details).length === 0 ? '' : ` ${JSON.stringify(details)}`;
}

/** Undefined where the body is not a refusal of the service. */
export function parseRefusal(body: unknown): Refusal | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { code, retry } = body as Partial<Refusal>;
  return typeof code === 'string' && typeof retry === 'string' ? (body as Refusal) : undefined;
}
