/** `lending client import`: registers the Clients of a file. A registration that is repeated changes nothing. */
import { createReadStream } from 'node:fs';
import { actorOf } from '../actor.ts';
import { type Caller, callerFor } from '../caller.ts';
import type { AdminOptions } from '../commands/admin-options.ts';
import type { CallerCommandOptions } from '../commands/caller-options.ts';
import { formatDetails, formatRemedy } from '../format-error.ts';
import { printDocument } from '../output/print-result.ts';
import { ProgressLine } from '../output/progress-line.ts';
import { decodeUtf8 } from '../receipts/receipt-files.ts';
import { type RefusalEnvelope, RefusedError } from '../refused-error.ts';
import { type ClientLine, isClientLine, readClientLines } from './client-file.ts';

export type ClientImportOptions = CallerCommandOptions &
  AdminOptions & {
    readonly delimiter: string;
    readonly basis?: string;
    readonly concurrency: number;
    readonly dryRun?: boolean;
  };

interface Counts {
  registered: number;
  refused: number;
  unreadable: number;
}

/** What is wrong with a line; a refusal has the members of its answer. */
type Fault = { readonly line: number; readonly error: string } & Partial<RefusalEnvelope>;

const maxPrintedFaults = 20;
/** For `--json`. */
const maxKeptFaults = 1_000;

export async function importClients(file: string, options: ClientImportOptions): Promise<void> {
  const { basis, concurrency, delimiter, dryRun = false, json = false } = options;
  const caller = dryRun ? undefined : callerFor(options);
  const lineCount = file === '-' ? undefined : await countLines(file);
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const lines = readClientLines(
    decodeUtf8(bytes, () => undefined),
    { actor: actorOf(options), basis },
    delimiter,
  );
  const counts: Counts = { registered: 0, refused: 0, unreadable: 0 };
  const progress = new ProgressLine(process.stderr, 'Clients');
  const faults: Fault[] = [];
  let faultCount = 0;
  let done = 0;
  const report = (fault: Fault, text = fault.error): void => {
    faultCount += 1;
    if (faults.length < maxKeptFaults) faults.push(fault);
    if (json || faultCount > maxPrintedFaults) return;
    progress.clear();
    console.error(`line ${fault.line}: ${text}`);
  };
  const work = async (): Promise<void> => {
    for await (const line of lines) {
      if (!isClientLine(line)) {
        counts.unreadable += 1;
        report({ line: line.line, error: line.fault });
      } else {
        const refusal = caller && (await register(caller, line));
        if (refusal === undefined) counts.registered += 1;
        else {
          counts.refused += 1;
          report({ line: line.line, ...refusal }, describeRefusal(refusal, line));
        }
      }
      done += 1;
      progress.set(done, lineCount);
    }
  };
  try {
    // Each takes the next line when it is free. An iterator gives a line to one of them only.
    await Promise.all(Array.from({ length: concurrency }, work));
  } catch (cause) {
    progress.clear();
    console.error(
      `Stopped after ${done} lines. To continue, run the same command: what is registered already is left as it is.`,
    );
    throw cause;
  } finally {
    progress.end();
  }
  if (!json) {
    if (faultCount > maxPrintedFaults) console.error(`and ${faultCount - maxPrintedFaults} more lines`);
    for (const code of new Set(faults.map((fault) => fault.code)))
      if (code !== undefined) for (const text of formatRemedy(code)) console.error(text);
  }
  printDocument({ ...counts, faults }, () => summary(counts, dryRun), options);
  if (counts.refused + counts.unreadable > 0) process.exitCode = 1;
}

/** For the time left, so a line end within a cell may be counted too. */
async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) count += 1;
  }
  return count;
}

/** What the service refused about the line; undefined where the Client is registered. */
async function register(caller: Caller, { clientId, body }: ClientLine): Promise<RefusalEnvelope | undefined> {
  try {
    await caller.request('PUT', `/clients/${encodeURIComponent(clientId)}`, body);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof RefusedError) || !isAboutOneClient(cause)) throw cause;
    return cause.envelope;
  }
}

function describeRefusal(refusal: RefusalEnvelope, { clientId }: ClientLine): string {
  return [`${refusal.code} of ${clientId}: ${refusal.error}`, ...formatDetails(refusal)].join(' ');
}

/** A wrong key or scope concerns every line. */
function isAboutOneClient({ status }: RefusedError): boolean {
  return status === 404 || status === 409 || status === 422 || status === 400;
}

function summary({ registered, refused, unreadable }: Counts, dryRun: boolean): string {
  if (dryRun) return `${registered} Clients can be sent, ${unreadable} lines cannot be read; nothing was sent`;
  return `${registered} Clients are registered, ${refused} refused, ${unreadable} lines cannot be read`;
}
