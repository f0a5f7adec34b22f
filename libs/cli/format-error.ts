/** Errors and refusals as a person at the command line reads them. */
import { getSystemErrorMessage, types } from 'node:util';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type RefusalEnvelope, RefusedError } from './caller.ts';

export function formatError(cause: unknown): string {
  if (cause instanceof RefusedError) return formatRefusal(cause);
  if (!types.isNativeError(cause)) return String(cause);
  // What is unavailable is known to the operator; why, only to the driver.
  if (cause instanceof DependencyUnavailableError && cause.cause !== undefined) {
    return `${cause.message}: ${formatError(cause.cause)}`;
  }
  const { errno, path }: NodeJS.ErrnoException = cause;
  if (errno === undefined) return cause.message;
  // Reading a folder as a file fails without a path, because the call knows only a descriptor.
  const reason = getSystemErrorMessage(errno);
  return path === undefined ? reason : `${path}: ${reason}`;
}

const nextSteps: Readonly<Record<string, string>> = {
  as_is: 'The same request can be sent again.',
  after_record: 'Something else must be recorded first; then the same request can be sent again.',
  after_change: 'The request must be changed before it is sent again.',
  never: 'The request cannot succeed, whatever is changed.',
};

function formatRefusal({ status, envelope }: RefusedError): string {
  const { error, code, retry, request_id } = envelope;
  return [
    `refused: ${error} (${status} ${code})`,
    ...formatDetails(envelope).map((line) => `  ${line}`),
    `  ${nextSteps[retry] ?? `retry: ${retry}`}`,
    ...(request_id === undefined ? [] : [`  request ${request_id}`]),
  ].join('\n');
}

export function formatDetails({ details = {} }: Pick<RefusalEnvelope, 'details'>): string[] {
  return Object.entries(details).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key.replaceAll('_', ' ')}: ${text}`;
  });
}
