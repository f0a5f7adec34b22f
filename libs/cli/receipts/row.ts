/** A line of a file of receipts, as it is sent. */
import { createHash } from 'node:crypto';

/** One receipt: the JSON that `POST /receipts` takes, and its line: in a table its row, as a spreadsheet counts them. */
export type Row = { readonly line: number; readonly reference: string | undefined; readonly body: string };

/** What is no receipt in any reading: it is told and not sent. */
export type Unreadable = { readonly line: number; readonly reference: string | undefined; readonly fault: string };

export type Read = Row | Unreadable;

export function isReadable(read: Read): read is Row {
  return 'body' in read;
}

/** The file is not what it is said to be: what was posted from it stands, the rest is not guessed. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Tells a line from another that stands in its place by now. */
export function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16);
}
