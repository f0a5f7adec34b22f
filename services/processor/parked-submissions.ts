/**
 * What waits with a parked book, read for the release that decides it: a portion of it, however much waits, and each
 * record once, however many of its items do.
 */
import { v5 } from 'uuid';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import {
  type ParkedItem,
  type ParkedPlace,
  type ParkedPortion,
  type PortionLimit,
  parkedAgain,
  parkedPortion,
  placeText,
  readParkedRecords,
} from '#libs/database/parked.ts';
import type { SubmissionCodec } from '#libs/kafka/submission.ts';
import { droppedBy } from '#libs/ledger/release.ts';
import {
  type DecodedEntry,
  isReadable,
  isRelease,
  type Kept,
  type LogEntry,
  type Release,
  readRecord,
} from './log-entry.ts';

/** About what one batch of a lender holds: whoever waits behind it waits as for that. */
const limit: PortionLimit = { items: 1_000, bytes: 4 * 1_024 * 1_024 };

export interface Reading {
  readonly database: Database;
  readonly codec: SubmissionCodec;
  readonly clock: () => Moment;
}

/** Each release stands alone: what waits with its book is what was committed before it. */
export function releasesApart(taken: readonly LogEntry[]): LogEntry[][] {
  const groups: LogEntry[][] = [];
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
export function withKept(reading: Reading, taken: readonly LogEntry[]): Promise<LogEntry[]> {
  return Promise.all(
    taken.map(async (each) => (isRelease(each) ? { ...each, release: await releaseOf(reading, each) } : each)),
  );
}

async function releaseOf(reading: Reading, release: DecodedEntry): Promise<Release> {
  const [pending] = release.pending;
  if (pending === undefined || release.broken?.has(pending)) return { kept: [], waiting: 0 };
  // A store that cannot say what waits keeps the others of its partition for as long as this, and no longer.
  if (reading.clock() > release.record.patience_ends_at) return { kept: [], waiting: 0, isLate: true };
  const portion = await parkedPortion(reading.database, pending.submission, limit);
  return { kept: await keptOf(reading, release, portion, droppedBy(pending.submission)), waiting: portion.waiting };
}

type Keeping = Kept & { readonly again: ParkedPlace[] };

async function keptOf(
  reading: Reading,
  release: DecodedEntry,
  { waiting, items }: ParkedPortion,
  dropped: ReadonlySet<string>,
): Promise<Kept[]> {
  const records = await readOnce(
    reading,
    release,
    items.filter((item) => !dropped.has(placeText(item))),
  );
  const kept: Keeping[] = [];
  const byRequest = new Map<string, Keeping>();
  const requestIds = new Set<string>();
  for (const item of items) {
    const record = records.get(recordName(item));
    const requestId = item.requestId ?? record?.requestId;
    const request = `${requestId}/${item.item}`;
    const first = requestId === undefined ? undefined : byRequest.get(request);
    if (first !== undefined) {
      first.again.push(item);
      continue;
    }
    const taken = dropped.has(placeText(item)) ? undefined : record?.takenOf(item.item);
    const one: Keeping = { place: item, again: [], taken };
    kept.push(one);
    if (requestId === undefined) continue;
    byRequest.set(request, one);
    requestIds.add(requestId);
  }
  const last = items.at(-1);
  if (last === undefined || waiting === items.length) return kept;
  for (const item of await parkedAgain(reading.database, last, [...requestIds]))
    byRequest.get(`${item.requestId}/${item.item}`)?.again.push(item);
  return kept;
}

interface ReadOnce {
  /** Undefined for what cannot be read. */
  readonly requestId: string | undefined;
  /** One of its items, or for -1 all those of the book. */
  readonly takenOf: (item: number) => LogEntry;
}

/** By the name of the record. */
async function readOnce(
  { database, codec }: Reading,
  release: DecodedEntry,
  items: readonly ParkedItem[],
): Promise<Map<string, ReadOnce>> {
  const places = new Map(items.map((item) => [recordName(item), item]));
  const values = await readParkedRecords(database, [...places.values()]);
  const byName = new Map(values.map((record) => [recordName(record), record.value]));
  const records = new Map<string, ReadOnce>();
  for (const [name, place] of places) {
    const source = { offset: place.offset, key: null, value: byName.get(name) ?? null };
    const read = await readRecord(codec, place.partition, source);
    records.set(
      name,
      isReadable(read) ? readableOnce(read, release, place) : { requestId: undefined, takenOf: () => read },
    );
  }
  return records;
}

function readableOnce(read: DecodedEntry, release: DecodedEntry, place: ParkedItem): ReadOnce {
  // A release that broke has nothing to say any more: the one that decides this has taken its place.
  const isOver: boolean = isRelease(read);
  const ofBook = read.pending.filter(({ item }) => !isOver && item.book_id === place.bookId);
  const byItem = Map.groupBy(ofBook, ({ item }) => item.item);
  const { partition, offset } = release;
  // One record for all of its items, and one identifier: it is proved once. It stands where the release stands.
  const record = { ...read.record, request_id: anew(release, place) };
  const moved = { ...read, partition, offset, record };
  return {
    requestId: read.record.request_id,
    takenOf: (item) => ({ ...moved, pending: item < 0 ? ofBook : (byItem.get(item) ?? []) }),
  };
}

/**
 * Other items of the request may have been committed under its own identifier, or under that of a release before this
 * one, and are proved under those.
 */
function anew({ record }: DecodedEntry, { bookId, ...place }: ParkedItem): string {
  return v5(`${bookId} ${recordName(place)}`, record.request_id);
}

function recordName({ partition, offset }: Pick<ParkedPlace, 'partition' | 'offset'>): string {
  return `${partition}/${offset}`;
}
