/** A record of lending.submissions as the processor works on it: decoded or not. */
import type { BookKey } from '#libs/database/books.ts';
import type { ParkedPosition } from '#libs/database/parked-submissions.ts';
import type { ReferenceName } from '#libs/database/references.ts';
import { SchemaRegistryError } from '#libs/kafka/schema-registry.ts';
import type { SubmissionCodec, SubmissionItem, SubmissionRecord } from '#libs/kafka/submission-record.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { type Namespace, namespaces, type Submission } from '#libs/ledger/book-decider.ts';
import { isBookId } from '#libs/ledger/book-id.ts';
import { releaseOperation } from '#libs/ledger/release.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/** One submission of an entry: the whole request, or one item of a batch. */
export interface EntryItem {
  readonly source: SubmissionItem;
  readonly submission: Submission;
}

export interface DecodedEntry {
  readonly partition: number;
  readonly offset: number;
  readonly source: TopicRecord;
  readonly record: SubmissionRecord;
  readonly items: readonly EntryItem[];
  /** Items that the database rejected, with the cause. They are parked. */
  readonly failures?: ReadonlyMap<EntryItem, unknown>;
  /** Set on a release of a parked book. */
  readonly portion?: ReleasePortion;
}

/** A submission that waits with a parked book. */
export interface ParkedSubmission {
  readonly position: ParkedPosition;
  /** Further positions of the same submission: a retried send may append it twice. */
  readonly repeats: readonly ParkedPosition[];
  /** Undefined where the release drops it. */
  readonly entry: LogEntry | undefined;
}

/** What a release decides now. */
export interface ReleasePortion {
  /** In the order of the log. */
  readonly submissions: readonly ParkedSubmission[];
  /** All that wait with the book, this portion included. */
  readonly waiting: number;
  /** The deadline of the release had passed before anything was read. */
  readonly isLate?: true;
}

/** A record that cannot be decoded. Only its key is known. */
export interface UndecodableEntry {
  readonly partition: number;
  readonly offset: number;
  readonly source: TopicRecord;
  readonly cause: unknown;
}

export type LogEntry = DecodedEntry | UndecodableEntry;

export function isDecoded(entry: LogEntry): entry is DecodedEntry {
  return 'record' in entry;
}

export function isRelease(entry: LogEntry): entry is DecodedEntry {
  return isDecoded(entry) && entry.record.operation === releaseOperation;
}

/** The reference a submission is recorded under, where its route has one. */
export function referenceNameOf({ tenantId, namespace, reference }: Submission): ReferenceName | undefined {
  return namespace === undefined || reference === undefined ? undefined : { tenantId, namespace, reference };
}

/** Every reference that the submissions of these entries state, those that a release decides included. */
export function referencesIn(entries: readonly LogEntry[]): ReferenceName[] {
  return entries.filter(isDecoded).flatMap(({ items, portion }) => {
    const parked = portion?.submissions.flatMap(({ entry }) => (entry && isDecoded(entry) ? entry.items : [])) ?? [];
    return [...items, ...parked].flatMap(({ submission }) => referenceNameOf(submission) ?? []);
  });
}

/** The books the entry changes. For an undecodable entry the key names the book. */
export function booksOf(entry: LogEntry): BookKey[] {
  if (isDecoded(entry)) return entry.items.map(({ submission }) => submission);
  const book = parseBookKey(entry.source.key);
  return book === undefined ? [] : [book];
}

/** Undefined for a key the database could not store: it would stop the whole partition. */
export function parseBookKey(key: Buffer | null): BookKey | undefined {
  const [tenantId, ...rest] = key?.toString('utf8').split('/') ?? [];
  const bookId = rest.join('/');
  return isIdentifier(tenantId ?? '') && isBookId(bookId) ? { tenantId: String(tenantId), bookId } : undefined;
}

/** A decoded entry that can neither be decided nor parked by its content is treated as undecodable. */
export function asUndecodable({ partition, offset, source }: LogEntry, cause: unknown): UndecodableEntry {
  return { partition, offset, source, cause };
}

/** Throws DependencyUnavailableError where the schema registry does not answer. */
export async function decodeRecord(codec: SubmissionCodec, partition: number, source: TopicRecord): Promise<LogEntry> {
  const { offset, value } = source;
  try {
    if (value === null) throw new TypeError('the record has no value');
    const decoded = codec.decode(value);
    // Awaited only for another schema version: an await per record costs a turn of the event loop.
    const record = decoded instanceof Promise ? await decoded : decoded;
    return { partition, offset, source, record, items: record.items.map((item) => entryItem(record, item)) };
  } catch (cause) {
    if (cause instanceof SchemaRegistryError && !cause.isSchemaNotFound)
      throw new DependencyUnavailableError('schema registry', { cause });
    return { partition, offset, source, cause };
  }
}

/** Set where the registry does not know the record's schema. A replica of it may not know a new schema yet. */
export function schemaNotFoundError(entry: LogEntry): SchemaRegistryError | undefined {
  if (isDecoded(entry) || !(entry.cause instanceof SchemaRegistryError)) return undefined;
  return entry.cause.isSchemaNotFound ? entry.cause : undefined;
}

function entryItem(record: SubmissionRecord, item: SubmissionItem): EntryItem {
  const text = item.body ?? record.evidence.body.toString('utf8');
  const rest: Omit<Submission, 'body'> = {
    tenantId: record.tenant_id,
    bookId: item.book_id,
    operation: record.operation,
    params: record.params,
    digest: item.digest.toString('hex'),
    ids: item.ids,
    resolved: item.resolved === null ? null : JSON.parse(item.resolved),
    ...(item.namespace === null ? {} : { namespace: parseNamespace(item.namespace) }),
    ...(item.reference === null ? {} : { reference: item.reference }),
    ...(record.actor === null ? {} : { actor: record.actor }),
  };
  if (text.length <= maxParsedLength) return { source: item, submission: { ...rest, body: parseBody(text) } };
  const submission = {
    ...rest,
    get body() {
      return parseBody(text);
    },
  };
  return { source: item, submission };
}

/** A longer body is parsed when it is decided: parsed, it may take 20 times its text, and a batch holds hundreds. */
const maxParsedLength = 2_048;

function parseBody(text: string): JsonObject {
  return text === '' ? {} : (JSON.parse(text) as JsonObject);
}

function parseNamespace(name: string): Namespace {
  const namespace = namespaces.find((known) => known === name);
  if (namespace === undefined)
    throw new TypeError(`unknown reference namespace: ${name}; expected one of ${namespaces}`);
  return namespace;
}
