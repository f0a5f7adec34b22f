/** What all commands share: what they need to run, usage errors, and parsers of arguments. */
import { InvalidArgumentError } from 'commander';
import { isIdentifier } from '#libs/schema/scalars.ts';

/** What must be running: the service, the backing services of a cell, or nothing. */
export type CommandTarget = 'service' | 'cell' | 'none';

/** The command line or its environment is wrong: printed with the usage of the command, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function parseTenancyId(value: string): string {
  if (isIdentifier(value)) return value;
  throw new InvalidArgumentError('A Tenancy id has 1 to 64 letters, digits, - and _.');
}

export function parseActor(value: string): string {
  if (isIdentifier(value)) return value;
  throw new InvalidArgumentError('An actor has 1 to 64 letters, digits, - and _.');
}

export function wholeNumberParser(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

/** For an option that may be given several times. */
export function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
