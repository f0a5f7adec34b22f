/** Reads the parked submissions that a release decides, one portion at a time. */
import { v5 } from 'uuid';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import {
  type ParkedItem,
  type ParkedPortionLimit,
  type ParkedPosition,
  positionText,
  readParkedLogEntries,
  readParkedPortion,
  readRepeatedSubmissions,
} from '#libs/database/parked-submissions.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import { droppedPositions } from '#libs/ledger/release.ts';
import {
  type DecodedEntry,
  decodeRecord,
  isDecoded,
  isRelease,
  type LogEntry,
  type ReleasePortion,
} from './log-entry.ts';

/** About the size of one batch of a lender: the entries behind the release wait for it. */
const portionLimit: ParkedPortionLimit = { items: 1_000, bytes: 4 * 1_024 * 1_024 };

export interface ParkedReader {
  readonly database: Database;
  readonly codec: SubmissionCodec;
  readonly clock: () => Moment;
}

/** The same entries; each release carries the parked submissions it decides. */
export function withParkedSubmissions(reader: ParkedReader, entries: readonly LogEntry[]): Promise<LogEntry[]> {
  return Promise.all(
    entries.map(async (entry) => (isRelease(entry) ? { ...entry, portion: await readPortion(reader, entry) } : entry)),
  );
}

async function readPortion(reader: ParkedReader, release: DecodedEntry): Promise<ReleasePortion> {
  const { database, clock } = reader;
  const [command] = release.items;
  if (command === undefined || release.failures?.has(command)) return { submissions: [], waiting: 0 };
  // While the database cannot answer, the partition waits until this deadline and no longer.
  if (clock() > release.record.patience_ends_at) return { submissions: [], waiting: 0, isLate: true };
  const { items, waitingCount } = await readParkedPortion(database, command.submission, portionLimit);
  const dropped = droppedPositions(command.submission);
  const kept = items.filter((item) => !dropped.has(positionText(item)));
  const records = await readRecords(reader, release, kept);
  const requestIdOf = (item: ParkedItem): string | undefined =>
    item.requestId ?? records.get(recordName(item))?.requestId;
  // A retried send may append a request twice. Both copies are one submission, at the position of the first.
  const copies = Map.groupBy(items, (item) => submissionName(requestIdOf(item), item));
  const last = items.at(-1);
  if (last !== undefined && items.length < waitingCount) {
    const requestIds = new Set(items.flatMap((item) => requestIdOf(item) ?? []));
    for (const copy of await readRepeatedSubmissions(database, last, [...requestIds]))
      copies.get(submissionName(copy.requestId, copy))?.push(copy);
  }
  const submissions = [...copies.values()].flatMap(([position, ...repeats]) => {
    if (position === undefined) return [];
    const entry = dropped.has(positionText(position))
      ? undefined
      : records.get(recordName(position))?.entryOf(position.item);
    return { position, repeats, entry };
  });
  return { submissions, waiting: waitingCount };
}

/** A submission without a known request has no copies. */
function submissionName(requestId: string | null | undefined, item: ParkedItem): string {
  return requestId == null ? positionText(item) : `${requestId}/${item.item}`;
}

interface ParkedRecordContent {
  /** Undefined where the record cannot be decoded. */
  readonly requestId: string | undefined;
  /** The entry with this one item; for -1, with all items of the book. */
  readonly entryOf: (item: number) => LogEntry;
}

/** Reads and decodes each record once, however many of its items are parked. By record name. */
async function readRecords(
  { database, codec }: ParkedReader,
  release: DecodedEntry,
  items: readonly ParkedItem[],
): Promise<Map<string, ParkedRecordContent>> {
  const positions = new Map(items.map((item) => [recordName(item), item]));
  const stored = await readParkedLogEntries(database, [...positions.values()]);
  const valueByName = new Map(stored.map((record) => [recordName(record), record.value]));
  const contents = new Map<string, ParkedRecordContent>();
  for (const [name, position] of positions) {
    const source = { offset: position.offset, key: null, value: valueByName.get(name) ?? null };
    const entry = await decodeRecord(codec, position.partition, source);
    const undecodable = { requestId: undefined, entryOf: () => entry };
    contents.set(name, isDecoded(entry) ? contentOf(entry, release, position) : undecodable);
  }
  return contents;
}

function contentOf(parked: DecodedEntry, release: DecodedEntry, position: ParkedItem): ParkedRecordContent {
  // A parked release is not decided again: the release being decided replaces it.
  const isReplaced: boolean = isRelease(parked);
  const ofBook = parked.items.filter(({ source }) => !isReplaced && source.book_id === position.bookId);
  const byItem = Map.groupBy(ofBook, ({ source }) => source.item);
  const { partition, offset } = release;
  // One record for all of its items, so that its evidence is stored once, at the position of the release.
  const record = { ...parked.record, request_id: derivedRequestId(release, position) };
  const moved = { ...parked, partition, offset, record };
  return {
    requestId: parked.record.request_id,
    entryOf: (item) => ({ ...moved, items: item < 0 ? ofBook : (byItem.get(item) ?? []) }),
  };
}

/** Other items of the request may be committed already under its own id, or under that of an earlier release. */
function derivedRequestId({ record }: DecodedEntry, { bookId, ...position }: ParkedItem): string {
  return v5(`${bookId} ${recordName(position)}`, record.request_id);
}

function recordName({ partition, offset }: Pick<ParkedPosition, 'partition' | 'offset'>): string {
  return `${partition}/${offset}`;
}
