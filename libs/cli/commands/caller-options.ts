/** Options of the commands that call the service. */
import { type Command, InvalidArgumentError } from 'commander';
import { type CommonOptions, durationParser, parseTenancyId } from '../command.ts';

export type CallerCommandOptions = CommonOptions & {
  readonly tenant?: string;
  readonly contractVersion?: string;
  /** In milliseconds. */
  readonly patience?: number;
};

export function addCallerOptions(command: Command, patience = patienceMeaning): Command {
  return addPatience(addTenancyOptions(command), patience);
}

/** For commands that send each request once. */
export function addTenancyOptions(command: Command): Command {
  return addVersion(
    command.option('--tenant <id>', 'the Tenancy (default: LENDING_TENANT, or that of the profile)', parseTenancyId),
  );
}

/** For commands whose path names the Tenancy. */
export function addRequestOptions(command: Command, patience: string): Command {
  return addPatience(addVersion(command), patience);
}

function addVersion(command: Command): Command {
  return command.option(
    '--contract-version <day>',
    'the version of the contract to request (default: the newest)',
    parseVersion,
  );
}

function addPatience(command: Command, meaning: string): Command {
  return command.option('--patience <duration>', meaning, durationParser(86_400));
}

const patienceMeaning =
  'how long a request is sent again while the service does not answer or is busy, such as 30s ' +
  '(default: a busy service 60s, one that never answered not at all)';

function parseVersion(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  throw new InvalidArgumentError('Expected the day of a version, such as 2026-10-16.');
}
