/** Parks what cannot be decided (A9), and reads it back for the release that decides it: one portion at a time. */
import { v5 } from 'uuid';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import type { ParkedLogEntry, ParkedRow } from '#libs/database/parked-submissions.ts';
import {
  type ParkedItem,
  type ParkedPortion,
  type ParkedPortionLimit,
  type ParkedPosition,
  positionText,
  readParkedLogEntries,
  readParkedPortion,
  readRepeatedSubmissions,
} from '#libs/database/parked-submissions.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import type { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { droppedPositions } from '#libs/ledger/release.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { BatchResult, NewlyParked } from './batch-result.ts';
import {
  type BookRelease,
  type DecodedEntry,
  decodeRecord,
  isDecoded,
  isRelease,
  type LogEntry,
  type ParkedSubmission,
} from './log-entry.ts';

/** About the size of one batch of a lender: the entries behind the release wait for it. */
const portionLimit: ParkedPortionLimit = { items: 1_000, bytes: 4 * 1_024 * 1_024 };

export interface ParkedReader {
  readonly database: Database;
  readonly codec: SubmissionCodec;
  readonly clock: () => Moment;
}

/** Puts each release into a batch of its own: it reads what earlier batches committed. */
export function splitAtReleases(entries: readonly LogEntry[]): LogEntry[][] {
  const batches: LogEntry[][] = [];
  let canExtend = false;
  for (const entry of entries) {
    const isSeparate = isRelease(entry);
    if (canExtend && !isSeparate) batches.at(-1)?.push(entry);
    else batches.push([entry]);
    canExtend = !isSeparate;
  }
  return batches;
}

/** The same entries; each release carries the parked submissions it decides. */
export function withParkedSubmissions(reader: ParkedReader, entries: readonly LogEntry[]): Promise<LogEntry[]> {
  return Promise.all(
    entries.map(async (entry) => (isRelease(entry) ? { ...entry, release: await readRelease(reader, entry) } : entry)),
  );
}

async function readRelease(reader: ParkedReader, release: DecodedEntry): Promise<BookRelease> {
  const [item] = release.items;
  if (item === undefined || release.failures?.has(item)) return { submissions: [], waiting: 0 };
  // While the database cannot answer, the partition waits until this deadline and no longer.
  if (reader.clock() > release.record.patience_ends_at) return { submissions: [], waiting: 0, isLate: true };
  const portion = await readParkedPortion(reader.database, item.submission, portionLimit);
  const submissions = await readPortion(reader, release, portion, droppedPositions(item.submission));
  return { submissions, waiting: portion.waitingCount };
}

type MutableParkedSubmission = ParkedSubmission & { readonly repeats: ParkedPosition[] };

async function readPortion(
  reader: ParkedReader,
  release: DecodedEntry,
  { waitingCount: waiting, items }: ParkedPortion,
  dropped: ReadonlySet<string>,
): Promise<ParkedSubmission[]> {
  const isDropped = (item: ParkedItem): boolean => dropped.has(positionText(item));
  const records = await readRecords(
    reader,
    release,
    items.filter((item) => !isDropped(item)),
  );
  const submissions: MutableParkedSubmission[] = [];
  const byRequest = new Map<string, MutableParkedSubmission>();
  const requestIds = new Set<string>();
  for (const item of items) {
    const record = records.get(recordName(item));
    const requestId = item.requestId ?? record?.requestId;
    const request = `${requestId}/${item.item}`;
    const first = requestId === undefined ? undefined : byRequest.get(request);
    if (first !== undefined) {
      first.repeats.push(item);
      continue;
    }
    const entry = isDropped(item) ? undefined : record?.entryOf(item.item);
    const submission: MutableParkedSubmission = { position: item, repeats: [], entry };
    submissions.push(submission);
    if (requestId === undefined) continue;
    byRequest.set(request, submission);
    requestIds.add(requestId);
  }
  const last = items.at(-1);
  if (last === undefined || waiting === items.length) return submissions;
  for (const item of await readRepeatedSubmissions(reader.database, last, [...requestIds]))
    byRequest.get(`${item.requestId}/${item.item}`)?.repeats.push(item);
  return submissions;
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

/** Copies the records to the topic of parked records, before the commit moves the offset past them. */
export async function publishParkedRecords(topic: TopicWriter, { parked }: BatchResult): Promise<void> {
  const entries = new Set(parked.map(({ entry }) => entry));
  await Promise.all(
    [...entries].map(({ partition, source }) =>
      topic.append({
        topic: topics.parked,
        partition,
        key: source.key?.toString('utf8') ?? '',
        value: source.value ?? Buffer.alloc(0),
      }),
    ),
  );
}

export function logParked(logger: Logger, { parked, parkedAgain }: BatchResult): void {
  for (const { entry, book, cause } of parked) {
    if (cause === undefined) continue;
    const { partition, offset } = entry;
    const fields = { event: 'processor.book_parked', err: cause, book_id: book?.bookId, partition, offset } as const;
    logger.error(fields, 'parked a book; release it once the cause is fixed');
  }
  for (const { position, cause } of parkedAgain) {
    const { bookId, partition, offset } = position;
    const fields = { event: 'processor.book_parked_again', err: cause, book_id: bookId, partition, offset } as const;
    logger.error(fields, 'parked a released book again; its submission failed once more');
  }
}

/** The rows that a later release reads. */
export function parkedRows(parked: readonly NewlyParked[]): ParkedRow[] {
  return parked.flatMap(({ entry, book, item, cause }) => {
    if (book === undefined) return [];
    const { partition, offset } = entry;
    return {
      tenantId: book.tenantId,
      bookId: book.bookId,
      partition,
      offset,
      item: item?.source.item ?? -1,
      requestId: isDecoded(entry) ? entry.record.request_id : null,
      operation: item?.submission.operation ?? null,
      reference: item?.submission.reference ?? null,
      digest: item?.source.digest ?? null,
      error: cause === undefined ? null : causeText(cause),
    };
  });
}

/** The records of those rows, each once. */
export function parkedRecords(parked: readonly NewlyParked[]): ParkedLogEntry[] {
  const entries = new Set(parked.map(({ entry }) => entry));
  return [...entries].map(({ partition, offset, source }) => ({
    partition,
    offset,
    value: source.value ?? Buffer.alloc(0),
  }));
}

function causeText(cause: unknown): string {
  // Postgres text cannot hold NUL.
  return String(cause instanceof Error ? cause.message : cause)
    .replaceAll('\0', '')
    .slice(0, 2_000);
}
