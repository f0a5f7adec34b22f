/** A record of the log as the processor works on it. */

import type { BookKey } from '#libs/database/books.ts';
import type { ParkedPlace } from '#libs/database/parked.ts';
import type { LogRecord } from '#libs/kafka/log-reader.ts';
import { SchemaRegistryError } from '#libs/kafka/schema-registry.ts';
import type { SubmissionCodec, SubmissionItem, SubmissionRecord } from '#libs/kafka/submission.ts';
import { type Namespace, namespaces, type Submission } from '#libs/ledger/book-decider.ts';
import { isBookId } from '#libs/ledger/book-id.ts';
import { releaseOperation } from '#libs/ledger/release.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { isIdentifier } from '#libs/schema/form.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/** One submission: a request, or one item of a batch. */
export interface PendingItem {
  readonly item: SubmissionItem;
  readonly submission: Submission;
}

export interface DecodedEntry {
  readonly partition: number;
  readonly offset: number;
  readonly source: LogRecord;
  readonly record: SubmissionRecord;
  readonly pending: readonly PendingItem[];
  /** What the store cannot hold of it, and why. */
  readonly broken?: ReadonlyMap<PendingItem, unknown>;
  /** Where it lets a parked book go on: what waits with that. */
  readonly release?: Release;
}

/** One submission that waits with a parked book, as it is decided when the book is released. */
export interface Kept {
  readonly place: ParkedPlace;
  /** Where it waits once more: a send that was retried stands in the log twice. */
  readonly again: readonly ParkedPlace[];
  /** Undefined where it is dropped, and nobody has to read it. */
  readonly taken: LogEntry | undefined;
}

export interface Release {
  /** What is decided of it now, in the order of the log. */
  readonly kept: readonly Kept[];
  /** With the book, in all: what is left waits for the next release. */
  readonly waiting: number;
  /** Its patience had ended before anything was read. */
  readonly isLate?: true;
}

export type Released = DecodedEntry & { readonly release: Release };

/** A record that cannot be read: what is known of it is its key. */
export interface UndecodableEntry {
  readonly partition: number;
  readonly offset: number;
  readonly source: LogRecord;
  readonly fault: unknown;
}

export type LogEntry = DecodedEntry | UndecodableEntry;

export function isRelease(taken: LogEntry): taken is DecodedEntry {
  return isReadable(taken) && taken.record.operation === releaseOperation;
}

/** All it would have decided, what waits with a book it releases included. */
export function submissionsOf({ pending, release }: DecodedEntry): Submission[] {
  const kept =
    release?.kept.flatMap(({ taken }) => (taken !== undefined && isReadable(taken) ? taken.pending : [])) ?? [];
  return [...pending, ...kept].map(({ submission }) => submission);
}

/** The books whose turn it is; of a record that cannot be read its key says whose. */
export function booksOf(taken: LogEntry): BookKey[] {
  if (isReadable(taken)) return taken.pending.map(({ submission }) => submission);
  const book = bookOfKey(taken.source.key);
  return book === undefined ? [] : [book];
}

/** Undefined for a name the store could not hold: it would keep the whole partition from going on. */
export function bookOfKey(key: Buffer | null): BookKey | undefined {
  const [tenantId, ...rest] = key?.toString('utf8').split('/') ?? [];
  const bookId = rest.join('/');
  return isIdentifier(tenantId ?? '') && isBookId(bookId) ? { tenantId: String(tenantId), bookId } : undefined;
}

export function isReadable(taken: LogEntry): taken is DecodedEntry {
  return 'record' in taken;
}

/** A record that was read and of which nothing can be decided or kept all the same: its key says whose turn it was. */
export function unreadable({ partition, offset, source }: LogEntry, fault: unknown): UndecodableEntry {
  return { partition, offset, source, fault };
}

/** Throws where the world keeps it from being read. */
export async function readRecord(codec: SubmissionCodec, partition: number, source: LogRecord): Promise<LogEntry> {
  const { offset, value } = source;
  try {
    if (value === null) throw new TypeError('a record without a value');
    const decoded = codec.decode(value);
    // Awaited only where the record was written by another version, so that a batch is not a thousand turns of the loop.
    const record = decoded instanceof Promise ? await decoded : decoded;
    return { partition, offset, source, record, pending: record.items.map((item) => pendingOf(record, item)) };
  } catch (fault) {
    if (fault instanceof SchemaRegistryError && !fault.isOfUnknownSchema)
      throw new DependencyUnavailableError('schema registry', { cause: fault });
    return { partition, offset, source, fault };
  }
}

/** A registry that follows another may not have heard of it yet. */
export function isOfUnknownSchema(taken: LogEntry): boolean {
  return !isReadable(taken) && taken.fault instanceof SchemaRegistryError && taken.fault.isOfUnknownSchema;
}

function pendingOf(record: SubmissionRecord, item: SubmissionItem): PendingItem {
  const text = item.body ?? record.evidence.body.toString('utf8');
  const submission: Submission = {
    tenantId: record.tenant_id,
    bookId: item.book_id,
    operation: record.operation,
    params: record.params,
    body: text === '' ? {} : (JSON.parse(text) as JsonObject),
    digest: item.digest.toString('hex'),
    ids: item.ids,
    resolved: item.resolved === null ? null : JSON.parse(item.resolved),
    ...(item.namespace === null ? {} : { namespace: namespaceOf(item.namespace) }),
    ...(item.reference === null ? {} : { reference: item.reference }),
    ...(record.actor === null ? {} : { actor: record.actor }),
  };
  return { item, submission };
}

function namespaceOf(name: string): Namespace {
  const namespace = namespaces.find((each) => each === name);
  if (namespace === undefined) throw new TypeError(`${name} is no namespace of references`);
  return namespace;
}
