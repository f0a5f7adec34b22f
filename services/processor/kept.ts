/** What waits with a parked book, read for the release that decides it. */
import { v5 } from 'uuid';
import type { SubmissionCodec } from '#libs/log/submission.ts';
import type { Database } from '#libs/store/database.ts';
import { type ParkedItem, parkedOf, placeText } from '#libs/store/parked.ts';
import { isReadable, isRelease, type Kept, type Readable, readRecord, type Taken } from './taken.ts';

/** Each release stands alone: what waits with its book is what was committed before it. */
export function releasesApart(taken: readonly Taken[]): Taken[][] {
  const groups: Taken[][] = [];
  let open = false;
  for (const each of taken) {
    const alone = isRelease(each);
    if (open && !alone) groups.at(-1)?.push(each);
    else groups.push([each]);
    open = !alone;
  }
  return groups;
}

/** The same records, a release among them with what it releases. */
export function withKept(database: Database, codec: SubmissionCodec, taken: readonly Taken[]): Promise<Taken[]> {
  return Promise.all(
    taken.map(async (each) => {
      if (!isRelease(each)) return each;
      const kept: Kept[] = [];
      for (const { submission } of each.pending) {
        for (const row of await parkedOf(database, submission)) kept.push(await keptOf(codec, each, row));
      }
      return { ...each, release: { kept } };
    }),
  );
}

async function keptOf(codec: SubmissionCodec, release: Readable, row: ParkedItem): Promise<Kept> {
  const { partition, offset, item, bookId, value } = row;
  const source = { offset, key: null, value };
  const read = await readRecord(codec, partition, source);
  if (!isReadable(read)) return { place: row, request: undefined, taken: read };
  const pending = read.pending.filter((each) => each.item.book_id === bookId && (item < 0 || each.item.item === item));
  // A release that broke has nothing to say any more: the one that decides this has taken its place.
  const isOver = isRelease(read);
  return {
    place: row,
    request: `${read.record.request_id}/${item}`,
    taken: {
      ...read,
      // It is decided now, and stands where the release stands.
      partition: release.partition,
      offset: release.offset,
      pending: isOver ? [] : pending,
      record: { ...read.record, request_id: anew(release, row) },
    },
  };
}

/** Other items of the request may have been committed under its own identifier, and are proved under that. */
function anew({ record }: Readable, row: ParkedItem): string {
  return v5(placeText(row), record.request_id);
}
