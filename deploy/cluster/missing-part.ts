/** A part of the cluster that this machine can neither run nor install. Tests are skipped with its message. */
export class MissingPartError extends Error {
  override readonly name = 'MissingPartError';
}
