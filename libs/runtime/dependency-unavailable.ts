/** The world's fault, never the caller's: a store or the log does not answer. Met in one place, the edge of a service. */
export class DependencyUnavailableError extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(what: string, options?: ErrorOptions) {
    super(`${what}: the store does not answer`, options);
  }
}
