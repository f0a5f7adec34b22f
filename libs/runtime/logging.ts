/** Logs: one JSON object a line on standard output, with the id of the request they belong to and without secrets. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

const requestIds = new AsyncLocalStorage<string>();

/** Whatever is logged while `work` runs, however deep and however late, carries the id. */
export function withRequestId<Result>(requestId: string, work: () => Result): Result {
  return requestIds.run(requestId, work);
}

/** Standard output, for what is logged by a process that ends the moment after: written in the background it may be lost. */
export function writtenAtOnce(): ReturnType<typeof destination> {
  return destination({ dest: 1, sync: true });
}

/** Standard output as a service writes it: at once until it has started, so that why it did not is the last of its log. */
export class ServiceOutput implements DestinationStream {
  #stream = writtenAtOnce();

  write(line: string): void {
    this.#stream.write(line);
  }

  /** What ends a process is written before it does. */
  flushSync(): void {
    this.#stream.flushSync();
  }

  /** From now on whoever reads the log slowly does not hold up those who are served. */
  inBackground(): void {
    this.#stream = destination({ dest: 1, sync: false });
  }
}

const secretNames = ['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'signature', 'sig', 'token'];
const named = secretNames.join('|');
// A member that is itself an object can be hidden only where it is still one, which is looked for so deep.
const everywhere = secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

const jsonText = String.raw`"(?:[^"\\]|\\.)*"`;
// Last line of defence, over the finished text: a secret inside a message or the cause of an error has no name.
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/lsk_(live|test)_[A-Za-z0-9_-]+/g, 'lsk_$1_[hidden]'],
  // Up to the last @: a password that nobody encoded may hold one. With an end, so that no text makes this slow.
  [/(:\/\/[^:/@\s"]*):[^\s"]{1,1000}@/g, '$1:[hidden]@'],
  [/:\/\/[^:/@\s"]+@/g, '://[hidden]@'],
  [/\b(sig|signature)=[A-Za-z0-9+/_=-]+/g, '$1=[hidden]'],
  [/(password|secret|token)=('(?:[^'"\\]|\\.)*'|(?:[^&\s"',;\\]|\\.)+)/gi, '$1=[hidden]'],
  [new RegExp(`"(${named})":(?:${jsonText}|\\[(?:${jsonText},?)*\\]|-?\\d[\\d.eE+-]*)`, 'gi'), '"$1":"[hidden]"'],
];

export function withoutSecrets(text: string): string {
  return secretTexts.reduce((clean, [pattern, shown]) => clean.replace(pattern, shown), text);
}

export function createLogger(service: string, level: string, into?: DestinationStream): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: everywhere, censor: '[hidden]' },
    mixin: () => {
      const requestId = requestIds.getStore();
      return requestId === undefined ? {} : { request_id: requestId };
    },
    hooks: { streamWrite: withoutSecrets },
  };
  return into === undefined ? pino(options) : pino(options, into);
}
