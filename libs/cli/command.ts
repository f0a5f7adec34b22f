/** What the definitions of all commands share: what they need to run, usage errors, parsers, examples and details. */
import { type Command, InvalidArgumentError } from 'commander';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import { wrapText } from './output/wrap-text.ts';

/** What must be running: the service, the backing services of a cell, or nothing. */
export type CommandTarget = 'service' | 'cell' | 'none';

/** Options of every command; `addCommonOptions` of command-tree.ts defines them. */
export type CommonOptions = { readonly json?: boolean; readonly profile?: string; readonly color?: boolean };

/** The command line or its environment is wrong: printed with the usage of the command, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The person ended the command before it was done. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** Whether what a command does can be taken back. One with options that cannot be undone is irreversible. */
export type Effect = 'reads' | 'reversible' | 'irreversible';

type CommandDescription = {
  /** An irreversible command has `addConfirmationOptions`, asks before it acts, and is in the table of its tests. */
  readonly effect: Effect;
  /** Without `lending`. */
  readonly examples: readonly string[];
  readonly details: string;
};

const descriptions = new WeakMap<Command, CommandDescription>();

type StatedDescription = Omit<CommandDescription, 'details'> & { readonly details?: string };

/** With the text below the options in the help of the command, and in the reference. */
export function describeCommand(command: Command, { effect, examples, details = '' }: StatedDescription): Command {
  const texts = { effect, examples, details: details.trim() };
  descriptions.set(command, texts);
  const exampleText = `\nExamples:\n${texts.examples.map((example) => `  lending ${example}`).join('\n')}`;
  return command.addHelpText('after', () =>
    [exampleText, ...paragraphsOf(texts.details).map((paragraph) => wrapParagraph(paragraph, helpWidth()))].join(
      '\n\n',
    ),
  );
}

/** Of a narrow terminal its own. */
export function helpWidth(): number {
  return Math.min(maxHelpWidth, process.stdout.columns ?? maxHelpWidth);
}

const maxHelpWidth = 100;

export function paragraphsOf(details: string): string[] {
  return details === '' ? [] : details.split('\n\n');
}

/** A list, whose lines are indented, keeps its form. */
export function isList(paragraph: string): boolean {
  return /^ {2,}/m.test(paragraph);
}

function wrapParagraph(paragraph: string, width: number): string {
  return isList(paragraph) ? paragraph : wrapText(paragraph.replaceAll('\n', ' '), width).join('\n');
}

export function commandDescription(command: Command): CommandDescription {
  const description = descriptions.get(command);
  if (description === undefined) throw new Error(`${command.name()} is not described; call describeCommand`);
  return description;
}

export function parseTenancyId(value: string): string {
  if (isIdentifier(value)) return value;
  throw new InvalidArgumentError('A Tenancy id has 1 to 64 letters, digits, - and _.');
}

export function parseActor(value: string): string {
  if (isIdentifier(value)) return value;
  throw new InvalidArgumentError('An actor has 1 to 64 letters, digits, - and _.');
}

export function parseProfileName(value: string): string {
  if (isIdentifier(value)) return value;
  throw new InvalidArgumentError('The name of a profile has 1 to 64 letters, digits, - and _.');
}

export function parseDayOption(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  throw new InvalidArgumentError('Expected a day as YYYY-MM-DD.');
}

export function wholeNumberParser(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `30s`, `10m`, `24h` and `7d` in milliseconds; a number alone is seconds. */
export function durationParser(maxSeconds: number): (value: string) => number {
  return (value) => {
    const [, digits, unit = 's'] = /^([0-9]{1,9})([smhd])?$/.exec(value) ?? [];
    const seconds = Number(digits) * (secondsPerUnit[unit] ?? Number.NaN);
    if (seconds <= maxSeconds) return seconds * 1_000;
    throw new InvalidArgumentError(`Expected a duration such as 30s, 10m or 24h, at most ${maxSeconds / 3_600}h.`);
  };
}

/** Between the cells of a CSV. */
export function parseDelimiter(value: string): string {
  if (value.length === 1) return value;
  throw new InvalidArgumentError('Expected one character.');
}

/** For an option that may be given several times. */
export function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

/** Of an irreversible command. */
export type ConfirmationOptions = { readonly yes?: boolean; readonly dryRun?: boolean };

/** `dryRun` says what is shown instead of done. */
export function addConfirmationOptions(command: Command, dryRun: string): Command {
  return command.option('--dry-run', dryRun).option('--yes', 'do it without a question, as a script must');
}
