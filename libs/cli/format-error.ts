/** Errors and refusals as a person at the command line reads them, and their exit codes. */
import { getSystemErrorMessage, styleText, types } from 'node:util';
import { CommanderError } from 'commander';
import { ConfigurationError, settingText } from '#libs/runtime/config.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { callerSettings } from '#libs/runtime/settings.ts';
import { isRefusalCode } from '#libs/schema/refusals.ts';
import { remedies } from '#libs/site/reference/remedies.ts';
import { InterruptedError, UsageError } from './command.ts';
import { NotConfirmedError } from './confirm.ts';
import { wrapText } from './output/wrap-text.ts';
import { type RefusalEnvelope, RefusedError } from './refused-error.ts';

/** By what a command ended, in words for programs, with the exit code. */
const failed = { code: 'failed', exit_code: 1 };
const notConfirmed = { code: 'not_confirmed', exit_code: 1 };
const wrongUse = { code: 'wrong_use', exit_code: 2 };
const interrupted = { code: 'interrupted', exit_code: 130 };

function kindOf(cause: unknown): { readonly code: string; readonly exit_code: number } {
  if (cause instanceof InterruptedError) return interrupted;
  if (cause instanceof NotConfirmedError) return notConfirmed;
  const isWrongUse =
    cause instanceof UsageError || cause instanceof ConfigurationError || cause instanceof CommanderError;
  return isWrongUse ? wrongUse : failed;
}

export function exitCodeOf(cause: unknown): number {
  return kindOf(cause).exit_code;
}

/** The error as one line of JSON, for `--json`. A refusal has the members of its answer. */
export function errorDocument(cause: unknown): object {
  const kind = kindOf(cause);
  if (cause instanceof RefusedError) {
    const remedy = remedyOf(cause.envelope.code);
    const { status, envelope } = cause;
    return { ...envelope, status, ...(remedy === undefined ? {} : { remedy }), exit_code: kind.exit_code };
  }
  const error = formatError(cause).replace(/^error: /, '');
  return { error, ...kind };
}

export function formatError(cause: unknown): string {
  if (cause instanceof RefusedError) return formatRefusal(cause);
  if (!types.isNativeError(cause)) return String(cause);
  // What is unavailable is known to the operator; why, only to the driver.
  if (cause instanceof DependencyUnavailableError && cause.cause !== undefined) {
    return `${cause.message}: ${formatError(cause.cause)}`;
  }
  const { errno, path }: NodeJS.ErrnoException = cause;
  if (errno === undefined) return cause.message;
  // Reading a folder as a file fails without a path, because the call knows only a descriptor.
  const reason = getSystemErrorMessage(errno);
  return path === undefined ? reason : `${path}: ${reason}`;
}

const nextSteps: Readonly<Record<string, string>> = {
  as_is: 'The same request can be sent again.',
  after_record: 'Something else must be recorded first; then the same request can be sent again.',
  after_change: 'The request must be changed before it is sent again.',
  never: 'Do not send the request again as it is.',
};

function formatRefusal({ status, envelope }: RefusedError): string {
  const { error, code, retry, request_id } = envelope;
  return [
    `${styleText('red', 'refused:', { stream: process.stderr })} ${error} (${status} ${code})`,
    ...formatDetails(envelope).map((line) => `  ${line}`),
    `  ${nextSteps[retry] ?? `retry: ${retry}`}`,
    ...formatRemedy(code),
    ...hintsOf(code).map((line) => `  ${line}`),
    ...referenceOf(code).map((line) => `  ${line}`),
    ...(request_id === undefined ? [] : [`  request ${request_id}`]),
  ].join('\n');
}

const remedyWidth = 100;

/** Indented lines; none for a code that this release does not know. */
export function formatRemedy(code: string, indent = '  '): string[] {
  const remedy = remedyOf(code);
  return remedy === undefined ? [] : wrapText(`${indent}${remedy}`, remedyWidth, indent);
}

/** Without the marks of Markdown. */
export function remedyOf(code: string): string | undefined {
  return isRefusalCode(code) ? remedies[code].replaceAll('`', '') : undefined;
}

/** What a person at the command line does about a refusal that concerns its own options. */
const hints: Readonly<Record<string, string>> = {
  unauthenticated: 'lending doctor checks the key and the clock.',
  not_permitted_tenant: 'Use --tenant, or the key of that Tenancy; lending doctor shows which key is used.',
  not_permitted_scope: 'Use a key with the scope write; lending key mint creates one.',
  invalid_contract_version: 'State one of these with --contract-version.',
  contract_version_required: 'State a newer version with --contract-version.',
};

function hintsOf(code: string): string[] {
  const hint = hints[code];
  return hint === undefined ? [] : [hint];
}

/** Where the service explains the code. An answer of a proxy has none. */
function referenceOf(code: string): string[] {
  const url = settingText(process.env, callerSettings.url);
  return url === undefined || code === 'unknown' ? [] : [`${url.replace(/\/+$/, '')}/docs/reference/errors#${code}`];
}

/** The words of the contract are for programs; these are for people. */
const labels: Readonly<Record<string, string>> = { bound: 'allowed', observed: 'given' };

export function formatDetails({ details = {} }: Pick<RefusalEnvelope, 'details'>): string[] {
  return Object.entries(details).flatMap(([key, value]) => {
    if (key === 'fields' && Array.isArray(value)) return value.slice(1).map(formatFieldFault);
    return `${labels[key] ?? key.replaceAll('_', ' ')}: ${textOf(value)}`;
  });
}

/** The fields after the first one, which is stated by itself. */
function formatFieldFault({
  field,
  code,
  bound,
}: { readonly [Member in 'field' | 'code' | 'bound']?: unknown }): string {
  return `also ${field}: ${code}${bound === undefined ? '' : ` (${labels['bound']}: ${textOf(bound)})`}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
