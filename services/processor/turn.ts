/**
 * A batch takes its turns: every submission in the order of its partition, each on the book the one before left.
 * In memory alone; nothing here is known to anyone before it is committed. No IO, and no clock but the one handed in.
 */
import { isRefusal, type Refusal, refuse } from '#libs/contract/refusals.ts';
import type { BookName, KindOf, StandingBook } from '#libs/store/books.ts';
import type { EvidenceRow, FactRow, ReferenceRow } from '#libs/store/commit-batch.ts';
import { type ReferenceName, referenceKey } from '#libs/store/references.ts';
import { isBookId } from '#libs/turn/book-id.ts';
import type { Admitted, Answer, RecordedReference, Submission } from '#libs/turn/book-kind.ts';
import type { Moment } from '#libs/turn/moment.ts';
import { bookName } from './shelf.ts';
import { isReadable, type Pending, type Readable, type Taken } from './taken.ts';

/** A book within a batch: what it was when the batch began, and what it is by now. */
export interface Working extends BookName {
  readonly partition: number;
  readonly before: StandingBook<unknown>;
  book: unknown;
  sequence: number;
  versionCount: number;
  versionAt: Moment | null;
  recordedAt: Moment;
  parked: boolean;
}

export interface Verdict {
  readonly record: Readable['record'];
  readonly partition: number;
  readonly item: number;
  /** Rendered after the batch went on its way to the store, while that is at work. */
  readonly outcome: Refusal | (() => Answer);
}

/** What an event of the topic says beside its fact. */
export interface Event {
  readonly row: FactRow;
  readonly record: Readable['record'];
  /** The event of this request in this partition that carries the evidence. */
  readonly evidenceAt: number;
}

export interface Parked {
  readonly taken: Taken;
  readonly bookId: string | undefined;
  readonly fault: unknown;
}

export interface Turn {
  readonly books: Map<string, Working>;
  readonly facts: FactRow[];
  readonly references: ReferenceRow[];
  readonly evidence: EvidenceRow[];
  readonly verdicts: Verdict[];
  readonly events: Event[];
  readonly parked: Parked[];
  readonly nextEvents: Map<number, number>;
}

export interface TurnInput {
  readonly records: readonly Taken[];
  readonly kindOf: KindOf;
  /** The books of the batch as they stand; one that is absent is empty. */
  readonly standing: (name: BookName) => StandingBook<unknown>;
  readonly recorded: ReadonlyMap<string, RecordedReference>;
  /** What the next event of a partition is numbered. */
  readonly nextEvent: (partition: number) => number;
  /** Asked at every turn: what stands at the end of a long batch must not be decided after its patience. */
  readonly clock: () => Moment;
}

/** Fields of a submission that hold it to a reference. */
function referenceNameOf({ tenantId, namespace, reference }: Submission): ReferenceName | undefined {
  return namespace === undefined || reference === undefined ? undefined : { tenantId, namespace, reference };
}

/** Every reference the batch may have to be held to. */
export function referencesOf(taken: readonly Taken[]): ReferenceName[] {
  return taken.flatMap((each) =>
    isReadable(each) ? each.pending.flatMap(({ submission }) => referenceNameOf(submission) ?? []) : [],
  );
}

/** Whether all of it was admitted: then nothing was said that a reference recorded elsewhere would have come before. */
export function isWhole({ verdicts }: Turn): boolean {
  return verdicts.every(({ outcome }) => !isRefusal(outcome));
}

export function takeTurn(input: TurnInput): Turn {
  const turn: Turn = {
    books: new Map(),
    facts: [],
    references: [],
    evidence: [],
    verdicts: [],
    events: [],
    parked: [],
    nextEvents: new Map(),
  };
  const within = new Map<string, RecordedReference>();
  for (const taken of input.records) {
    if (!isReadable(taken)) parkUnreadable(turn, input, taken);
    else for (const pending of taken.pending) settle(turn, input, within, taken, pending);
  }
  return turn;
}

function settle(
  turn: Turn,
  input: TurnInput,
  within: Map<string, RecordedReference>,
  taken: Readable,
  pending: Pending,
): void {
  const { record, partition } = taken;
  const { submission, item } = pending;
  const working = workingOn(turn, input, partition, submission);
  // Behind a parked submission nothing of its book is decided: it would be decided on a book that is not whole.
  if (working.parked) turn.parked.push({ taken, bookId: submission.bookId, fault: undefined });
  let outcome: Verdict['outcome'] = refuse('internal_error');
  try {
    if (!working.parked) outcome = outcomeOf(turn, input, within, { taken, pending, working });
  } catch (fault) {
    working.parked = true;
    turn.parked.push({ taken, bookId: submission.bookId, fault });
  }
  turn.verdicts.push({ record, partition, item: item.item, outcome });
}

interface Turned {
  readonly taken: Readable;
  readonly pending: Pending;
  readonly working: Working;
}

function outcomeOf(
  turn: Turn,
  input: TurnInput,
  within: Map<string, RecordedReference>,
  turned: Turned,
): Verdict['outcome'] {
  const { taken, pending, working } = turned;
  if (input.clock() > taken.record.patience_ends_at) return refuse('contended');
  const decided = decide(input, within, working, pending.submission);
  if (isRefusal(decided)) return decided;
  return 'again' in decided ? decided.again : recordFacts(turn, input, within, turned, decided);
}

type Outcome = Refusal | { readonly again: () => Answer } | (Admitted<unknown> & { readonly at: Moment });

function decide(
  input: TurnInput,
  within: ReadonlyMap<string, RecordedReference>,
  working: Working,
  submission: Submission,
): Outcome {
  const kind = input.kindOf(submission.bookId);
  const name = referenceNameOf(submission);
  const key = name === undefined ? undefined : referenceKey(name);
  const recorded = key === undefined ? undefined : (within.get(key) ?? input.recorded.get(key));
  if (recorded !== undefined) {
    if (recorded.digest !== submission.digest) return refuse('reference_reused', { recorded_id: recorded.subject });
    const book = working.book;
    return { again: () => kind.answerAgain(book, submission, recorded) };
  }
  const at = Math.max(input.clock(), working.recordedAt + 1) as Moment;
  const decided = kind.decide(working.book, submission, at);
  return isRefusal(decided) ? decided : { ...decided, at };
}

/** What was admitted becomes rows, and the book the next submission meets. */
function recordFacts(
  turn: Turn,
  input: TurnInput,
  within: Map<string, RecordedReference>,
  { working, taken, pending: { submission, item } }: Turned,
  admitted: Admitted<unknown> & { readonly at: Moment },
): () => Answer {
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
function proveOnce(turn: Turn, input: TurnInput, { record, partition }: Readable): number {
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

function workingOn(turn: Turn, input: TurnInput, partition: number, name: BookName): Working {
  const key = bookName(name);
  const known = turn.books.get(key);
  if (known !== undefined) return known;
  const before = input.standing(name);
  const { tenantId, bookId, book, sequence, versionCount, versionAt, recordedAt, parked } = before;
  const working = { tenantId, bookId, partition, before, book, sequence, versionCount, versionAt, recordedAt, parked };
  turn.books.set(key, working);
  return working;
}

/** Its key says whose turn it was; that book waits for a person, the others go on. */
function parkUnreadable(turn: Turn, input: TurnInput, taken: Taken & { fault: unknown }): void {
  const [tenantId, ...rest] = taken.source.key?.toString('utf8').split('/') ?? [];
  const bookId = rest.join('/');
  turn.parked.push({ taken, bookId: bookId === '' ? undefined : bookId, fault: taken.fault });
  if (tenantId === undefined || !isBookId(bookId)) return;
  workingOn(turn, input, taken.partition, { tenantId, bookId }).parked = true;
}
