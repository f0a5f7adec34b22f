/**
 * A refusal as one process says it to another, which may be of an older release: new codes are not breaking, so whoever
 * does not know one passes it on with what was said beside it.
 */
import {
  catalogue,
  type Details,
  isRefusalCode,
  type NewerCode,
  type Refusal,
  type Retry,
  refuse,
} from '#libs/schema/refusals.ts';

interface SaidRefusal {
  readonly code: string;
  readonly status: number;
  readonly retry: Retry;
  readonly says: string;
  readonly details?: Details;
}

export function sayRefusal(refusal: Refusal): SaidRefusal {
  const { code, status, retry, details } = refusal;
  return { code, status, retry, says: sentenceOf(refusal), ...(details === undefined ? {} : { details }) };
}

/** For a person. */
export function sentenceOf({ code, says }: Refusal): string {
  return says ?? (isRefusalCode(code) ? catalogue[code].says : catalogue.internal_error.says);
}

/** A code that is known is answered as it is here, whatever was said beside it: before, nothing was. */
export function hearRefusal(said: Partial<SaidRefusal>): Refusal {
  const { code, status, retry, says, details } = said;
  if (typeof code !== 'string') throw new TypeError('a refusal without a code');
  if (isRefusalCode(code)) return refuse(code, details as never);
  if (!isOfTheCaller(status) || !isRetry(retry) || typeof says !== 'string') {
    throw new TypeError(`nothing is said of the code ${code}, which is not known here`);
  }
  return {
    refused: true,
    code: code as NewerCode,
    status,
    retry,
    says,
    ...(details === undefined ? {} : { details }),
  };
}

/** The service's own faults carry two codes, and no release adds any. */
function isOfTheCaller(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) < 500;
}

const retries = { as_is: true, after_record: true, after_change: true, never: true } satisfies Record<Retry, true>;

function isRetry(retry: unknown): retry is Retry {
  return typeof retry === 'string' && Object.hasOwn(retries, retry);
}
