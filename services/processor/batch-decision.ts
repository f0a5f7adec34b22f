/** Decides submissions, and holds what a batch changes. In memory only: nothing is visible before the commit. */
import type { Moment } from '#libs/calendar/moment.ts';
import { type BookKey, bookKeyText, type DeciderFor, type LoadedBook } from '#libs/database/books.ts';
import type { EvidenceRow, FactRow, ReferenceRow } from '#libs/database/commit-row-types.ts';
import type { ParkedPosition } from '#libs/database/parked-submissions.ts';
import { type ReferenceName, referenceKey } from '#libs/database/references.ts';
import { factBytes } from '#libs/ledger/book-bytes.ts';
import type { Admission, NewFact, RecordedReference } from '#libs/ledger/book-decider.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { type DecodedEntry, type EntryItem, type LogEntry, referenceNameOf } from './log-entry.ts';
import { SubmissionVerdict, type VerdictOutcome } from './verdict.ts';

export interface BatchInput {
  readonly entries: readonly LogEntry[];
  readonly deciderFor: DeciderFor;
  /** The book before the batch; an empty one where nothing was recorded. */
  readonly currentBook: (key: BookKey) => LoadedBook<unknown>;
  /** By `referenceKey`. */
  readonly recordedReferences: ReadonlyMap<string, RecordedReference>;
  readonly nextEvent: (partition: number) => number;
  /** Whether the reference may be recorded in a database that does not answer. */
  readonly isContended?: (name: ReferenceName) => boolean;
  /** Read for every entry: the last one of a long batch must not be decided after its deadline. */
  readonly clock: () => Moment;
}

/** A book within a batch: as it was before the batch, and as the submissions so far have left it. */
export interface WorkingBook extends BookKey {
  readonly partition: number;
  readonly before: LoadedBook<unknown>;
  book: unknown;
  sequence: number;
  versionCount: number;
  versionAt: Moment | null;
  recordedAt: Moment;
  parked: boolean;
  bytes: number;
}

/** One submission to decide: its item, the entry it came with, and the book it changes. */
export interface SubmissionTask {
  readonly entry: DecodedEntry;
  readonly item: EntryItem;
  readonly book: WorkingBook;
}

/** A fact with the further data that its event carries. */
export interface FactEvent {
  readonly row: FactRow;
  readonly record: DecodedEntry['record'];
  /** Number of the event of this request in this partition that carries the evidence. */
  readonly evidenceEventNumber: number;
}

export interface SubmissionToPark {
  readonly entry: LogEntry;
  /** Undefined where the record's key names no book. */
  readonly book: BookKey | undefined;
  /** Undefined for a record that cannot be decoded. */
  readonly item: EntryItem | undefined;
  /** Undefined where the submission only follows a parked one. */
  readonly cause: unknown;
}

export class BatchDecision {
  readonly input: BatchInput;
  readonly books = new Map<string, WorkingBook>();
  readonly facts: FactRow[] = [];
  readonly references: ReferenceRow[] = [];
  readonly evidence: EvidenceRow[] = [];
  readonly events: FactEvent[] = [];
  readonly verdicts: SubmissionVerdict[] = [];
  readonly parked: SubmissionToPark[] = [];
  /** Parked submissions that a release decided or dropped. */
  readonly released: ParkedPosition[] = [];
  /** Parked submissions that failed again in a release. */
  readonly parkedAgain: { readonly position: ParkedPosition; readonly cause: unknown }[] = [];
  /** References recorded in this batch, by `referenceKey`. */
  readonly #references = new Map<string, RecordedReference>();
  readonly #nextEvents = new Map<number, number>();
  readonly #lateEntries = new Map<DecodedEntry, boolean>();

  constructor(input: BatchInput) {
    this.input = input;
  }

  /** The book under this key, taken into the batch at its first submission. */
  workingBook(partition: number, key: BookKey): WorkingBook {
    const text = bookKeyText(key);
    const known = this.books.get(text);
    if (known !== undefined) return known;
    const before = this.input.currentBook(key);
    const { tenantId, bookId, book, sequence, versionCount, versionAt, recordedAt, parked, bytes } = before;
    const working = {
      tenantId,
      bookId,
      partition,
      before,
      book,
      sequence,
      versionCount,
      versionAt,
      recordedAt,
      parked,
      bytes,
    };
    this.books.set(text, working);
    return working;
  }

  /** The fact recorded under this reference, by this batch or before it. */
  recordedReference(name: ReferenceName): RecordedReference | undefined {
    const key = referenceKey(name);
    return this.#references.get(key) ?? this.input.recordedReferences.get(key);
  }

  isContended({ submission }: EntryItem): boolean {
    const name = referenceNameOf(submission);
    return name !== undefined && this.input.isContended?.(name) === true;
  }

  nextEvent(partition: number): number {
    return this.#nextEvents.get(partition) ?? this.input.nextEvent(partition);
  }

  /** Read once for each entry: the items of one request must not be refused because of the time the others took. */
  isLate(entry: DecodedEntry): boolean {
    const known = this.#lateEntries.get(entry);
    if (known !== undefined) return known;
    const isLate = this.input.clock() > entry.record.patience_ends_at;
    this.#lateEntries.set(entry, isLate);
    return isLate;
  }

  addVerdict({ record, partition }: DecodedEntry, { source }: EntryItem, outcome: VerdictOutcome): void {
    this.verdicts.push(new SubmissionVerdict(record, partition, source.item, outcome));
  }

  /** Adds the facts of a submission, their reference, evidence and events, and advances the book. */
  addFacts(task: SubmissionTask, admission: Admission<unknown>, recordedAt: Moment): void {
    const { book, entry, item } = task;
    const [first] = admission.facts;
    if (first === undefined) return;
    const reference = referenceRow(task, first, admission.subject);
    const evidenceEventNumber = this.#addEvidence(entry);
    for (const fact of admission.facts) {
      book.sequence += 1;
      book.bytes += factBytes(fact);
      if (fact.counts) {
        book.versionCount += 1;
        book.versionAt = recordedAt;
      }
      const eventNumber = this.nextEvent(entry.partition);
      this.#nextEvents.set(entry.partition, eventNumber + 1);
      const row: FactRow = {
        tenantId: item.submission.tenantId,
        bookId: item.submission.bookId,
        sequence: book.sequence,
        fact,
        versionCount: book.versionCount,
        versionAt: book.versionAt,
        reference: fact === first ? reference : undefined,
        recordedAt,
        requestId: entry.record.request_id,
        item: item.source.item,
        partition: entry.partition,
        offset: entry.offset,
        eventNumber,
      };
      this.facts.push(row);
      this.events.push({ row, record: entry.record, evidenceEventNumber });
    }
    book.recordedAt = recordedAt;
    book.book = admission.book;
    if (reference === undefined) return;
    this.references.push(reference);
    this.#references.set(referenceKey(reference), { ...reference, digest: item.submission.digest });
  }

  /**
   * Evidence is stored once per request and partition. Returns the number of the event that carries it.
   * The facts of one request follow each other, so comparing with the last event is enough.
   */
  #addEvidence({ record, partition }: DecodedEntry): number {
    const last = this.events.at(-1);
    if (last !== undefined && last.record === record) return last.evidenceEventNumber;
    const { evidence } = record;
    this.evidence.push({
      requestId: record.request_id,
      partition,
      tenantId: record.tenant_id,
      method: evidence.method,
      target: evidence.target,
      ts: evidence.ts,
      fp: evidence.fp,
      signature: evidence.signature,
      idempotencyKey: evidence.idempotency_key,
      body: evidence.body,
      bodyEncoding: evidence.body_encoding,
      actor: record.actor,
      callerRequestId: record.caller_request_id,
      receivedAt: record.taken_in_at,
    });
    return this.nextEvent(partition);
  }
}

/** The reference names the first fact of its submission. Called before the book advances. */
function referenceRow({ book, item }: SubmissionTask, first: NewFact, subject?: string): ReferenceRow | undefined {
  const { submission, source } = item;
  const name = referenceNameOf(submission);
  if (name === undefined) return undefined;
  if (subject === undefined) throw new Error(`${submission.operation} recorded a reference without a subject`);
  const { bookId } = submission;
  return { ...name, digest: source.digest, bookId, kind: first.kind, subject, sequence: book.sequence + 1 };
}

/** Decides one submission on its book: it is admitted, refused, or the repetition of a recorded one. */
export function decideSubmission(batch: BatchDecision, task: SubmissionTask): VerdictOutcome {
  const { deciderFor, clock } = batch.input;
  const { book, item } = task;
  const name = referenceNameOf(item.submission);
  const recorded = name && batch.recordedReference(name);
  if (recorded !== undefined) return answerRepetition(batch, task, recorded);
  const recordedAt = Math.max(clock(), book.recordedAt + 1) as Moment;
  const decision = deciderFor(item.submission.bookId).decide(book.book, item.submission, recordedAt);
  if (isRefusal(decision)) return decision;
  batch.addFacts(task, decision, recordedAt);
  return () => decision.answer();
}

/** The same body is answered with the current record, another body is refused. */
function answerRepetition(
  { input: { deciderFor } }: BatchDecision,
  { book, item: { submission } }: SubmissionTask,
  recorded: RecordedReference,
): VerdictOutcome {
  if (recorded.digest !== submission.digest) return refuse('reference_reused', { recorded_id: recorded.subject });
  // Submissions behind this one change the book before the answer is rendered.
  const current = book.book;
  return () => deciderFor(submission.bookId).currentRecord(current, submission, recorded);
}
