/** Says which tests are skipped and why. Where CI is set, nothing may be missing. */
export function announceSkip(what: string, reason: string): void {
  if (process.env['CI'] !== undefined) throw new Error(`${what} cannot be run, because ${reason}, and CI is set`);
  console.error(`skipped: ${what}, because ${reason}`);
}
