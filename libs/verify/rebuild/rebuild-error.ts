/** A rebuild that changed nothing, because of the state of the database or the topic. */
export class RebuildError extends Error {
  override readonly name = 'RebuildError';
}
