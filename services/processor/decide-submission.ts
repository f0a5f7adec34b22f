/** One submission on the book the one before left: what comes of it, as rows and as a book. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { FactRow, ReferenceRow } from '#libs/database/commit-batch.ts';
import { type ReferenceName, referenceKey } from '#libs/database/references.ts';
import type { Admission, AnswerRecord, RecordedReference, Submission } from '#libs/ledger/book-decider.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { DecodedEntry, PendingItem } from './log-entry.ts';
import type { BatchInput, BatchResult, WorkingBook } from './turn-state.ts';
import type { VerdictOutcome } from './verdict.ts';

/** Fields of a submission that hold it to a reference. */
export function referenceNameOf({ tenantId, namespace, reference }: Submission): ReferenceName | undefined {
  return namespace === undefined || reference === undefined ? undefined : { tenantId, namespace, reference };
}

export interface Turned {
  readonly taken: DecodedEntry;
  readonly pending: PendingItem;
  readonly working: WorkingBook;
}

/** As the book decides it now, whenever it was sent. */
export function decidedNow(
  turn: BatchResult,
  input: BatchInput,
  within: Map<string, RecordedReference>,
  turned: Turned,
): VerdictOutcome {
  const { pending, working } = turned;
  const decided = decide(input, within, working, pending.submission);
  if (isRefusal(decided)) return decided;
  return 'again' in decided ? decided.again : recordFacts(turn, input, within, turned, decided);
}

type Decided = Refusal | { readonly again: () => AnswerRecord } | (Admission<unknown> & { readonly at: Moment });

function decide(
  input: BatchInput,
  within: ReadonlyMap<string, RecordedReference>,
  working: WorkingBook,
  submission: Submission,
): Decided {
  const kind = input.kindOf(submission.bookId);
  const name = referenceNameOf(submission);
  const key = name === undefined ? undefined : referenceKey(name);
  const recorded = key === undefined ? undefined : (within.get(key) ?? input.recorded.get(key));
  if (recorded !== undefined) {
    if (recorded.digest !== submission.digest) return refuse('reference_reused', { recorded_id: recorded.subject });
    const book = working.book;
    return { again: () => kind.currentRecord(book, submission, recorded) };
  }
  const at = Math.max(input.clock(), working.recordedAt + 1) as Moment;
  const decided = kind.decide(working.book, submission, at);
  return isRefusal(decided) ? decided : { ...decided, at };
}

/** What was admitted becomes rows, and the book the next submission meets. */
function recordFacts(
  turn: BatchResult,
  input: BatchInput,
  within: Map<string, RecordedReference>,
  { working, taken, pending: { submission, item } }: Turned,
  admitted: Admission<unknown> & { readonly at: Moment },
): () => AnswerRecord {
  const { record, partition, offset } = taken;
  const first = admitted.facts[0];
  if (first === undefined) return () => admitted.answer();
  const reference = referenceRow(submission, item.digest, first.kind, working.sequence + 1, admitted.subject);
  const evidenceAt = proveOnce(turn, input, taken);
  for (const fact of admitted.facts) {
    working.sequence += 1;
    if (fact.counts) {
      working.versionCount += 1;
      working.versionAt = admitted.at;
    }
    const eventNo = turn.nextEvents.get(partition) ?? input.nextEvent(partition);
    turn.nextEvents.set(partition, eventNo + 1);
    const { tenantId, bookId } = submission;
    const row: FactRow = {
      tenantId,
      bookId,
      sequence: working.sequence,
      fact,
      versionCount: working.versionCount,
      versionAt: working.versionAt,
      reference: fact === first ? reference : undefined,
      recordedAt: admitted.at,
      requestId: record.request_id,
      item: item.item,
      partition,
      offset,
      eventNo,
    };
    turn.facts.push(row);
    turn.events.push({ row, record, evidenceAt });
  }
  working.recordedAt = admitted.at;
  working.book = admitted.book;
  if (reference !== undefined) {
    turn.references.push(reference);
    within.set(referenceKey(reference), { ...reference, digest: submission.digest });
  }
  return () => admitted.answer();
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
  if (subject === undefined) throw new Error(`${submission.operation} recorded a reference that names nothing`);
  return { ...name, digest, bookId: submission.bookId, kind, subject, sequence };
}

/** The evidence of a request once in each partition it changed something in; where its events point to. */
function proveOnce(turn: BatchResult, input: BatchInput, { record, partition }: DecodedEntry): number {
  const last = turn.events.at(-1);
  if (last !== undefined && last.record === record) return last.evidenceAt;
  const { evidence } = record;
  turn.evidence.push({
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
    takenInAt: record.taken_in_at,
  });
  return turn.nextEvents.get(partition) ?? input.nextEvent(partition);
}
