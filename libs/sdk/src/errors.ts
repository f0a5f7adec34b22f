/** What may come of a request instead of its answer. */

import type { Refusal, RefusalDetails, Retry } from './contract/shapes.ts';

/** Whether a mutation that failed is recorded all the same is known to its reference alone: sent again, it tells. */
interface Doubtful {
  readonly outcomeUnknown: boolean;
}

/** The service refused. */
export class LendingError extends Error implements Doubtful {
  readonly status: number;
  /** Stable: branch on it. One that is not known is an unfamiliar refusal, not a fault. */
  readonly code: Refusal['code'];
  /** Whether to send it again, after something else is recorded, after changing it, or not at all. */
  readonly retry: Retry;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  readonly details: RefusalDetails;
  readonly requestId: string;
  readonly outcomeUnknown: boolean;

  constructor(request: string, status: number, refusal: Refusal, outcomeUnknown: boolean) {
    super(`${request}: ${status} ${refusal.code}: ${refusal.error}${detailText(refusal.details)}`);
    this.name = 'LendingError';
    this.status = status;
    this.code = refusal.code;
    this.retry = refusal.retry;
    this.retryAfter = refusal.retry_after;
    this.details = refusal.details ?? {};
    this.requestId = refusal.request_id;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** No answer of the service came: no line to it, none in time, or something between answered in its place. */
export class LendingUnreachable extends Error implements Doubtful {
  readonly outcomeUnknown: boolean;

  constructor(request: string, cause: unknown, outcomeUnknown: boolean) {
    super(`${request}: no answer of the service: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'LendingUnreachable';
    this.outcomeUnknown = outcomeUnknown;
  }
}

function detailText(details: Refusal['details']): string {
  return details === undefined || Object.keys(details).length === 0 ? '' : ` ${JSON.stringify(details)}`;
}

/** The envelope, or nothing where what came is not the service's. */
export function refusalOf(body: unknown): Refusal | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { code, retry } = body as Partial<Refusal>;
  return typeof code === 'string' && typeof retry === 'string' ? (body as Refusal) : undefined;
}
