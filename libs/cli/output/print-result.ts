/** Prints the result of a command: for a reader on a terminal as text, otherwise as one JSON document. */
import type { CommonOptions } from '../command.ts';
import { formatValue } from './text-table.ts';

export function printResult(result: unknown, { json = false }: CommonOptions): void {
  const isForReader = process.stdout.isTTY && !json;
  console.log(isForReader ? formatValue(result).join('\n') : JSON.stringify(result, null, 2));
}

/** Of the lines of a file in one document. It is held in memory. */
export const maxListedFaults = 1_000;

/** For results that are text also where they are piped, and JSON only with `--json`. */
export function printDocument(document: unknown, text: () => string, { json = false }: CommonOptions): void {
  console.log(json ? JSON.stringify(document, null, 2) : text());
}
