/** Downloads of lists as CSV. A page of the list is in memory at a time. */
import type { Response } from 'express';
import { type CsvValue, csvLine } from './csv.ts';
import type { DownloadSlots } from './download-slots.ts';
import { sendPieces } from './send-pieces.ts';

type Rows = readonly (readonly CsvValue[])[];

export interface CsvList {
  readonly fileName: string;
  readonly columns: readonly string[];
  /** The rows of each page of the list. */
  readonly pages: AsyncIterable<Rows>;
}

/** A list that is read already. */
export function wholeList(fileName: string, columns: readonly string[], rows: Rows): CsvList {
  async function* pages() {
    yield rows;
  }
  return { fileName, columns, pages: pages() };
}

export class CsvDownloads {
  readonly #slots: DownloadSlots;

  constructor(slots: DownloadSlots) {
    this.#slots = slots;
  }

  send(response: Response, list: CsvList): Promise<void> {
    return this.#slots.use(response, () => writeList(response, list));
  }
}

async function writeList(response: Response, { fileName, columns, pages }: CsvList): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  // Read before anything is written: a list that cannot be read is answered with a page that says so.
  const first = await iterator.next();
  response.type('text/csv').attachment(fileName);
  await sendPieces(response, linesOf(columns, first, iterator));
}

async function* linesOf(
  columns: readonly string[],
  first: IteratorResult<Rows>,
  iterator: AsyncIterator<Rows>,
): AsyncGenerator<string, void> {
  yield csvLine(columns);
  for (let page = first; page.done !== true; page = await iterator.next()) yield page.value.map(csvLine).join('');
}
