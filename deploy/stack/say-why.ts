/** Why a start failed, in the words of what it met; with where it was thrown for whoever debugs it. */
export function sayWhy(cause: unknown): void {
  console.error(cause instanceof Error && process.env['LOG_LEVEL'] !== 'debug' ? cause.message : cause);
}
