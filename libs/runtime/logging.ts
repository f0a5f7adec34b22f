/**
 * Logs: one JSON object per line on standard output, with a stable event name, the id of the request it belongs to, and
 * no secrets. On a terminal each line is text.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, destination, pino } from 'pino';
import type { LogEvent } from './log-events.ts';

export interface LogFields {
  readonly event: LogEvent;
  readonly [field: string]: unknown;
}

/** An error goes into the field `err`: it is rendered with its stack and its cause. */
export interface Logger {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  fatal(fields: LogFields, message: string): void;
}

const ignore = (): void => undefined;
export const silentLogger: Logger = { info: ignore, warn: ignore, error: ignore, fatal: ignore };

interface RequestFields {
  readonly request_id: string;
  readonly trace_id?: string;
}

const requestFields = new AsyncLocalStorage<RequestFields>();

/** Everything logged while `work` runs, also asynchronously, carries the identifiers. */
export function withRequestId<Result>(requestId: string, work: () => Result, traceId?: string): Result {
  const fields = traceId === undefined ? { request_id: requestId } : { request_id: requestId, trace_id: traceId };
  return requestFields.run(fields, work);
}

/** Standard output, written synchronously: a process that exits right after logging loses nothing. */
export function synchronousOutput(): DestinationStream & { flushSync(): void } {
  return destination({ dest: 1, sync: true });
}

/** Standard output of a service: synchronous until it has started, so that the reason of a failed start is never lost. */
export class ServiceOutput implements DestinationStream {
  #stream = synchronousOutput();
  readonly #isTerminal = process.stdout.isTTY;

  write(line: string): void {
    this.#stream.write(this.#isTerminal ? formatForTerminal(line) : line);
  }

  /** Called by the logger for a fatal message. */
  flushSync(): void {
    this.#stream.flushSync();
  }

  /** From now on a slow reader of the log does not delay requests. */
  writeInBackground(): void {
    this.#stream = destination({ dest: 1, sync: false });
  }
}

const secretNames = ['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'signature', 'sig', 'token'];
const secretNamePattern = secretNames.join('|');
// pino can hide whole objects only at fixed depths; the patterns below find plain values at any depth.
const redactedPaths = secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

const jsonText = String.raw`"(?:[^"\\]|\\.)*"`;
// Applied to the finished line: a secret inside a message or an error's cause has no field name.
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/lsk_(live|test)_[A-Za-z0-9_-]+/g, 'lsk_$1_[hidden]'],
  // Up to the last @, because an unencoded password may contain one. Bounded, so that no text makes this slow.
  [/(:\/\/[^:/@\s"]*):[^\s"]{1,1000}@/g, '$1:[hidden]@'],
  [/:\/\/[^:/@\s"]+@/g, '://[hidden]@'],
  [/\b(sig|signature)=[A-Za-z0-9+/_=-]+/g, '$1=[hidden]'],
  [/(password|secret|token)=('(?:[^'"\\]|\\.)*'|(?:[^&\s"',;\\]|\\.)+)/gi, '$1=[hidden]'],
  [
    new RegExp(`"(${secretNamePattern})":(?:${jsonText}|\\[(?:${jsonText},?)*\\]|-?\\d[\\d.eE+-]*)`, 'gi'),
    '"$1":"[hidden]"',
  ],
];

export function withoutSecrets(text: string): string {
  return secretTexts.reduce((clean, [pattern, shown]) => clean.replace(pattern, shown), text);
}

export function createLogger(service: string, level: string, output: DestinationStream): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '[hidden]' },
    mixin: () => ({ ...requestFields.getStore() }),
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, output);
}

/** Renders a JSON log line for a person: time, level, service, event, message and the other fields. */
const hiddenFields = new Set(['level', 'time', 'pid', 'service', 'event', 'msg', 'err']);

export function formatForTerminal(line: string): string {
  const entry = JSON.parse(line) as Record<string, unknown>;
  const time = String(entry['time']).slice(11, 23);
  const fields = Object.entries(entry)
    .filter(([name]) => !hiddenFields.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const head = [time, String(entry['level']).padEnd(5), entry['service'], entry['event'], '-', entry['msg'], ...fields];
  return `${head.join(' ')}\n${stackOf(entry['err'])}`;
}

function stackOf(error: unknown): string {
  const stack = (error as { stack?: unknown } | undefined)?.stack;
  return typeof stack === 'string' ? `${stack.replace(/^/gm, '  ')}\n` : '';
}
