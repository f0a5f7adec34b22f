/** `lending client import`: registers the Clients of a file. A registration that is repeated changes nothing. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { actorOf } from '../actor.ts';
import { type Caller, callerFor } from '../caller.ts';
import type { CommonOptions, ConfirmationOptions } from '../command.ts';
import type { AdminOptions } from '../commands/admin-options.ts';
import type { CallerCommandOptions } from '../commands/caller-options.ts';
import { confirmHere } from '../confirm.ts';
import { formatDetails, formatRemedy } from '../format-error.ts';
import { maxListedFaults, printDocument } from '../output/print-result.ts';
import { clearProgress, ProgressLine, withProgress } from '../output/progress-line.ts';
import { formatCount } from '../output/text-table.ts';
import { decodeUtf8 } from '../receipts/receipt-files.ts';
import { type RefusalEnvelope, RefusedError } from '../refused-error.ts';
import { type ClientLine, isClientLine, type ParsedClientLine, readClientLines } from './client-file.ts';

export type ClientImportOptions = CallerCommandOptions &
  AdminOptions &
  ConfirmationOptions & {
    readonly delimiter: string;
    readonly basis?: string;
    readonly concurrency: number;
  };

/** What is wrong with a line; a refusal has the members of its answer. */
type Fault = { readonly line: number; readonly error: string } & Partial<RefusalEnvelope>;

const maxPrintedFaults = 20;

/** Printed as they are found; with `--json` they are in the result instead. */
class LineFaults {
  readonly kept: Fault[] = [];
  readonly #isPrinted: boolean;
  #count = 0;

  constructor({ json = false }: CommonOptions) {
    this.#isPrinted = !json;
  }

  add(fault: Fault, text = fault.error): void {
    this.#count += 1;
    if (this.kept.length < maxListedFaults) this.kept.push(fault);
    if (!this.#isPrinted || this.#count > maxPrintedFaults) return;
    clearProgress();
    console.error(`line ${fault.line}: ${text}`);
  }

  printRest(): void {
    if (!this.#isPrinted) return;
    if (this.#count > maxPrintedFaults) console.error(`and ${this.#count - maxPrintedFaults} more lines`);
    for (const code of new Set(this.kept.map((fault) => fault.code)))
      if (code !== undefined) for (const text of formatRemedy(code)) console.error(text);
  }
}

export async function importClients(file: string, options: ClientImportOptions): Promise<void> {
  if (options.dryRun === true) return checkClients(file, options);
  const caller = callerFor(options);
  const total = (await canBeReadTwice(file)) ? await countLines(file, options) : undefined;
  if (total?.readable !== 0) await confirmHere(importText(total?.readable, caller), options);
  const lineCount = total && total.readable + total.unreadable;
  const lines = readLines(file, options);
  const counts = { registered: 0, refused: 0, unreadable: 0 };
  const progress = new ProgressLine(process.stderr, 'Clients');
  const faults = new LineFaults(options);
  let done = 0;
  const work = async (): Promise<void> => {
    for await (const line of lines) {
      if (!isClientLine(line)) {
        counts.unreadable += 1;
        faults.add({ line: line.line, error: line.fault });
      } else {
        const refusal = await register(caller, line);
        if (refusal === undefined) counts.registered += 1;
        else {
          counts.refused += 1;
          faults.add({ line: line.line, ...refusal }, describeRefusal(refusal, line));
        }
      }
      done += 1;
      progress.set(done, lineCount);
    }
  };
  try {
    // Each takes the next line when it is free. An iterator gives a line to one of them only.
    await Promise.all(Array.from({ length: options.concurrency }, work));
  } catch (cause) {
    progress.clear();
    console.error(
      `Stopped after ${done} lines. To continue, run the same command: what is registered already is left as it is.`,
    );
    throw cause;
  } finally {
    progress.end();
  }
  faults.printRest();
  const { registered, refused, unreadable } = counts;
  const summary = `${registered} Clients are registered, ${refused} refused, ${unreadable} lines cannot be read`;
  printDocument({ ...counts, faults: faults.kept }, () => summary, options);
  if (refused + unreadable > 0) process.exitCode = 1;
}

/** Reads the file to its end and sends nothing. */
async function checkClients(file: string, options: ClientImportOptions): Promise<void> {
  const faults = new LineFaults(options);
  const { readable, unreadable } = await countLines(file, options, faults);
  faults.printRest();
  const summary = `${readable} Clients can be sent, ${unreadable} lines cannot be read; nothing was sent`;
  printDocument({ readable, unreadable, faults: faults.kept }, () => summary, options);
  if (unreadable > 0) process.exitCode = 1;
}

function countLines(file: string, options: ClientImportOptions, faults?: LineFaults) {
  return withProgress('lines', async (progress) => {
    const counts = { readable: 0, unreadable: 0 };
    for await (const line of readLines(file, options)) {
      if (isClientLine(line)) counts.readable += 1;
      else {
        counts.unreadable += 1;
        faults?.add({ line: line.line, error: line.fault });
      }
      progress.add(1);
    }
    return counts;
  });
}

/** Not standard input or a pipe. */
async function canBeReadTwice(file: string): Promise<boolean> {
  return file !== '-' && (await stat(file)).isFile();
}

function readLines(file: string, options: ClientImportOptions): AsyncGenerator<ParsedClientLine> {
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const defaults = { actor: actorOf(options), basis: options.basis };
  return readClientLines(
    decodeUtf8(bytes, () => undefined),
    defaults,
    options.delimiter,
  );
}

/** The count is not known where the file can be read only once. */
function importText(count: number | undefined, { tenantId, baseUrl }: Caller): string {
  const lines = count === undefined ? 'All lines that can be read are' : formatLines(count);
  return `${lines} registered for good as Clients in ${tenantId} at ${baseUrl}.`;
}

function formatLines(count: number): string {
  return count === 1 ? '1 line is' : `${formatCount(count)} lines are`;
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
