/** The exit codes of the command line, for its help and for the reference. */

export const exitCodes = [
  { code: 0, meaning: ['Done.'] },
  {
    code: 1,
    meaning: [
      'Refused, not reachable, not found or not confirmed; or a check found something.',
      'Standard error says what, and what to do.',
    ],
  },
  {
    code: 2,
    meaning: ['The command line, the environment or the profile is wrong, or --yes is missing.', 'Nothing was done.'],
  },
  {
    code: 130,
    meaning: [
      'Ended by Ctrl-C before it was done.',
      'tail and events follow, which have no end of their own, then exit with 0.',
    ],
  },
] as const;

export function formatExitCodes(): string {
  return exitCodes
    .map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning.join(`\n${' '.repeat(7)}`)}`)
    .join('\n');
}
