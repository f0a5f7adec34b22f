/** Decides one submission on its book and appends what it changes to the batch result. */
import type { Moment } from '#libs/calendar/moment.ts';
import type { FactRow, ReferenceRow } from '#libs/database/commit-row-types.ts';
import { type ReferenceName, referenceKey } from '#libs/database/references.ts';
import type { Admission, AnswerRecord, RecordedReference, Submission } from '#libs/ledger/book-decider.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import {
  type BatchInput,
  type BatchReferences,
  type BatchResult,
  nextEventNumber,
  type WorkingBook,
} from './batch-result.ts';
import type { DecodedEntry, EntryItem } from './log-entry.ts';
import type { VerdictOutcome } from './verdict.ts';

/** The reference a submission is recorded under, where its route has one. */
export function referenceNameOf({ tenantId, namespace, reference }: Submission): ReferenceName | undefined {
  return namespace === undefined || reference === undefined ? undefined : { tenantId, namespace, reference };
}

export interface EntrySubmission {
  readonly entry: DecodedEntry;
  readonly item: EntryItem;
  readonly book: WorkingBook;
}

export function decideSubmission(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  submission: EntrySubmission,
): VerdictOutcome {
  const decision = decide(input, references, submission.book, submission.item.submission);
  if (isRefusal(decision)) return decision;
  if ('currentRecord' in decision) return decision.currentRecord;
  appendFacts(result, input, references, submission, decision);
  return () => decision.answer();
}

type Repetition = { readonly currentRecord: () => AnswerRecord };
type TimedAdmission = Admission<unknown> & { readonly recordedAt: Moment };

function decide(
  input: BatchInput,
  references: BatchReferences,
  book: WorkingBook,
  submission: Submission,
): Refusal | Repetition | TimedAdmission {
  const decider = input.deciderFor(submission.bookId);
  const recorded = recordedReference(input, references, submission);
  if (recorded !== undefined) {
    if (recorded.digest !== submission.digest) return refuse('reference_reused', { recorded_id: recorded.subject });
    const current = book.book;
    return { currentRecord: () => decider.currentRecord(current, submission, recorded) };
  }
  const recordedAt = Math.max(input.clock(), book.recordedAt + 1) as Moment;
  const decision = decider.decide(book.book, submission, recordedAt);
  return isRefusal(decision) ? decision : { ...decision, recordedAt };
}

function recordedReference(
  input: BatchInput,
  references: BatchReferences,
  submission: Submission,
): RecordedReference | undefined {
  const name = referenceNameOf(submission);
  if (name === undefined) return undefined;
  const key = referenceKey(name);
  return references.get(key) ?? input.recordedReferences.get(key);
}

/** Appends the facts, their reference, evidence and events, and advances the book. */
function appendFacts(
  result: BatchResult,
  input: BatchInput,
  references: BatchReferences,
  { book, entry, item: { submission, source: item } }: EntrySubmission,
  admission: TimedAdmission,
): void {
  const { record, partition, offset } = entry;
  const first = admission.facts[0];
  if (first === undefined) return;
  const reference = referenceRow(submission, item.digest, first.kind, book.sequence + 1, admission.subject);
  const evidenceAt = appendEvidence(result, input, entry);
  for (const fact of admission.facts) {
    book.sequence += 1;
    if (fact.counts) {
      book.versionCount += 1;
      book.versionAt = admission.recordedAt;
    }
    const eventNo = nextEventNumber(result, input, partition);
    result.nextEvents.set(partition, eventNo + 1);
    const row: FactRow = {
      tenantId: submission.tenantId,
      bookId: submission.bookId,
      sequence: book.sequence,
      fact,
      versionCount: book.versionCount,
      versionAt: book.versionAt,
      reference: fact === first ? reference : undefined,
      recordedAt: admission.recordedAt,
      requestId: record.request_id,
      item: item.item,
      partition,
      offset,
      eventNumber: eventNo,
    };
    result.facts.push(row);
    result.events.push({ row, record, evidenceEventNumber: evidenceAt });
  }
  book.recordedAt = admission.recordedAt;
  book.book = admission.book;
  if (reference !== undefined) {
    result.references.push(reference);
    references.set(referenceKey(reference), { ...reference, digest: submission.digest });
  }
}

function referenceRow(
  submission: Submission,
  digest: Buffer,
  kind: string,
  sequence: number,
  subject: string | undefined,
): ReferenceRow | undefined {
  const name = referenceNameOf(submission);
  if (name === undefined) return undefined;
  if (subject === undefined) throw new Error(`${submission.operation} recorded a reference without a subject`);
  return { ...name, digest, bookId: submission.bookId, kind, subject, sequence };
}

/**
 * Evidence is stored once per request and partition. Answers the number of the event that carries it.
 * The facts of one request follow each other, so comparing with the last event is enough.
 */
function appendEvidence(result: BatchResult, input: BatchInput, { record, partition }: DecodedEntry): number {
  const last = result.events.at(-1);
  if (last !== undefined && last.record === record) return last.evidenceEventNumber;
  const { evidence } = record;
  result.evidence.push({
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
  return nextEventNumber(result, input, partition);
}
