/** Books as Redis holds them: what it says of each, and the text of its snapshot. */
import type { SnapshotCache } from '#libs/database/snapshot-cache.ts';

export interface CachedBook {
  readonly sequence: number;
  readonly versionCount: number;
  readonly versionAt: number | null;
  readonly recordedAt: number;
  readonly data: string;
}

interface Named {
  readonly tenant_id: string;
  readonly book_id: string;
}

/** In the order of the names; those it does not hold are undefined. */
export async function cachedBooks(cache: SnapshotCache, books: readonly Named[]): Promise<(CachedBook | undefined)[]> {
  const texts = await cache.get(books.map(({ tenant_id: tenantId, book_id: bookId }) => ({ tenantId, bookId })));
  return texts.map((text) => (text === undefined ? undefined : read(text)));
}

function read(text: string): CachedBook {
  const end = text.indexOf('\n');
  const [sequence, versionCount, versionAt, recordedAt] = JSON.parse(text.slice(0, end)) as [
    number,
    number,
    number | null,
    number,
  ];
  return { sequence, versionCount, versionAt, recordedAt, data: text.slice(end + 1) };
}
