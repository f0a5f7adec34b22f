/** What a command is, and how what a person typed for it is read. */

/** The person typed what the command does not take: told with how it is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Typed = {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
};

/** Who has to answer: the service as any caller asks it, the backing services of a cell, or nobody. */
export type Needs = 'service' | 'cell' | 'nobody';

export type Command = {
  readonly usage: string;
  readonly what: string;
  readonly needs: Needs;
  /** Said after both where the command itself is asked for help. */
  readonly more?: string;
  /** By name: a text, several of them, or a flag that takes none. */
  readonly options?: Readonly<Record<string, 'text' | 'texts' | 'flag'>>;
  /** Says what there is to say itself; a failure is thrown, or set as the exit code. */
  readonly run: (typed: Typed) => Promise<void>;
};

export function must(value: string | undefined, what: string): string {
  if (value === undefined) throw new UsageError(`${what} is missing`);
  return value;
}

export function text(value: Typed['options'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** What was said of an option as often as it was said. */
export function texts(value: Typed['options'][string]): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function oneOf<const Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new UsageError(`${name} is ${words.join(' or ')}`);
  return found;
}

export function wholeNumber(name: string, value: string, { least, most }: { least: number; most: number }): number {
  const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most)) throw new UsageError(`${name} is a whole number from ${least} to ${most}`);
  return number;
}
