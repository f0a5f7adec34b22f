/** Refusals as JSON: as callers receive them, and between our own processes, which may run different releases. */
import {
  catalogue,
  isRefusalCode,
  type NewerRefusalCode,
  type Refusal,
  type RefusalDetails,
  type Retry,
  refuse,
} from '#libs/schema/refusals.ts';

/** The body of every refused response. */
export interface RefusalBody {
  readonly error: string;
  readonly code: Refusal['code'];
  readonly retry: Retry;
  readonly retry_after?: number;
  readonly details?: RefusalDetails;
  readonly request_id: string;
}

export function refusalBody(refusal: Refusal, requestId: string): RefusalBody {
  const { code, retry, retryAfter, details } = refusal;
  return {
    error: messageOf(refusal),
    code,
    retry,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(details === undefined ? {} : { details }),
    request_id: requestId,
  };
}

function messageOf({ code, message }: Refusal): string {
  return message ?? (isRefusalCode(code) ? catalogue[code].message : catalogue.internal_error.message);
}

/** A refusal between two processes. It carries everything the receiver needs in case it does not know the code. */
interface RefusalJson {
  readonly code: string;
  readonly status: number;
  readonly retry: Retry;
  readonly says: string;
  readonly details?: RefusalDetails;
}

export function refusalToJson(refusal: Refusal): RefusalJson {
  const { code, status, retry, details } = refusal;
  return { code, status, retry, says: messageOf(refusal), ...(details === undefined ? {} : { details }) };
}

/** A known code is answered as this release's catalogue has it; an unknown one as the sender described it. */
export function refusalFromJson(json: Partial<RefusalJson>): Refusal {
  const { code, status, retry, says, details } = json;
  if (typeof code !== 'string') throw new TypeError(`invalid refusal: code is ${typeof code}; expected a string`);
  const withDetails = details === undefined ? {} : { details };
  if (isRefusalCode(code)) return { ...refuse(code), ...withDetails };
  if (!isCallerError(status) || !isRetry(retry) || typeof says !== 'string') {
    throw new TypeError(
      `invalid refusal: code ${code} is not in this release's catalogue; expected status 4xx, retry and says with it`,
    );
  }
  return { refused: true, code: code as NewerRefusalCode, status, retry, message: says, ...withDetails };
}

/** Only 4xx: codes for failures of the service are never added. */
function isCallerError(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) < 500;
}

const retries = { as_is: true, after_record: true, after_change: true, never: true } satisfies Record<Retry, true>;

function isRetry(retry: unknown): retry is Retry {
  return typeof retry === 'string' && Object.hasOwn(retries, retry);
}
