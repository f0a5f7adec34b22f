/** Reads of what may not exist. */
import { RefusalError } from '#libs/sdk/src/errors.ts';

/** Undefined where the API does not know what is read. */
export async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof RefusalError && error.status === 404) return undefined;
    throw error;
  }
}
