/** Reads a listing of the service to its end, page by page. */
import type { Caller } from '../caller.ts';

const pageSize = 200;

/** `member` is the array in each page. */
export async function* readPages<Item>(
  caller: Pick<Caller, 'request'>,
  path: string,
  member: string,
): AsyncGenerator<Item> {
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await caller.request<Readonly<Record<string, unknown>>>('GET', `${path}?limit=${pageSize}${query}`);
    const items = page[member];
    if (!Array.isArray(items)) throw new Error(`the answer of ${path} has no array ${member}`);
    yield* items as Item[];
    const next = page['cursor'];
    if (typeof next !== 'string') return;
    cursor = next;
  }
}
