/** What went wrong, in words for whoever typed the command. */
import { getSystemErrorMessage, types } from 'node:util';

export function faultTold(cause: unknown): string {
  if (!types.isNativeError(cause)) return String(cause);
  const { errno, path }: NodeJS.ErrnoException = cause;
  if (errno === undefined) return cause.message;
  // Reading a folder fails with no path: the call knows a descriptor only.
  const why = getSystemErrorMessage(errno);
  return path === undefined ? why : `${path}: ${why}`;
}
