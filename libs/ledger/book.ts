import type { CivilDay } from '#libs/calendar/civil-day.ts';
import {
  emptyList,
  type GrownList,
  grown,
  itemAt,
  listLater,
  listOf,
  replaceAlike,
  shrink,
} from '#libs/ledger/append-list.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { atOnce, type InPieces } from '#libs/ledger/cooperative-loop.ts';
import {
  actsInForce,
  emptyRecord,
  type FactRecord,
  type LoanRecord,
  type ReadLine,
  type RecordedFact,
  recordUntil,
  withRecorded,
} from '#libs/ledger/fact-record.ts';
import type { Act, ActKind, ActOf, Fact, ReceiptFact, Retraction, Reversal } from '#libs/ledger/facts.ts';
import { EMPTY, foldStep, type State, type StepOutcome } from '#libs/ledger/fold.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import {
  actStep,
  comesBefore,
  isSameStep,
  issuanceStep,
  receiptLater,
  receiptStep,
  type Step,
  type StepPosition,
  type SteppingAct,
} from '#libs/ledger/steps.ts';

export type FactName = { readonly type: 'event' | 'receipt' | 'reversal'; readonly id: string };

export type LateKind = 'reversal_after_cession' | 'reversal_after_write_off';

/** A reversal recorded after the Loan its Receipt had reached was ceded or written off: by which acts, a cession first. */
export type LateReversal = {
  readonly seq: number;
  readonly loan: number;
  readonly reversal: string;
  readonly after: readonly { readonly act: string; readonly kind: LateKind }[];
};

/**
 * A Client's book: what is recorded, in its order of recording and in the order of the fold, and the state it amounts
 * to. A value: adding a fact answers another book and leaves this one as it was.
 */
export type Book = FactRecord & {
  readonly steps: GrownList<Step>;
  /** The day of the last step: what is asked of that day or later is asked of the head. */
  readonly lastOn: CivilDay | undefined;
  /** The state after some of the first steps, in order, so that a fact dated back folds only the part after it. */
  readonly marks: readonly Mark[];
  readonly head: State;
  /** Each time they changed, so that what they were after any of the facts is known. In order of recording. */
  readonly causes: readonly CausesSince[];
  readonly lateReversals: readonly LateReversal[];
};

export type Mark = { readonly at: number; readonly state: State };

const STRIDE = 16;

export const NO_BOOK: Book = {
  ...emptyRecord(),
  steps: emptyList(),
  lastOn: undefined,
  marks: [],
  head: EMPTY,
  causes: [],
  lateReversals: [],
};

export type Cause = { readonly kind: string; readonly fact: FactName };

/** By the event of a standing act whose rule no longer holds: the fact whose recording made it fail as it does. */
export type Causes = ReadonlyMap<string, Cause>;

/** What they are from the fact of that number on. */
export type CausesSince = { readonly seq: number; readonly causes: Causes };

const NO_CAUSES: Causes = new Map();

export function causesNow({ causes }: Pick<Book, 'causes'>): Causes {
  return causes.at(-1)?.causes ?? NO_CAUSES;
}

export type Added = { readonly book: Book; readonly outcome: StepOutcome | undefined };

/** The book with one more fact, and what the fact's own step came to (none where it only changes another's). */
export function addFact(book: Book, entry: RecordedFact, calendars: Calendars): Added {
  const { seq, fact } = entry;
  const recorded = { ...book, ...withRecorded(book, entry), lateReversals: withLateReversals(book, entry) };
  const change = changeOf(book, recorded, seq, fact);
  const refolded = refold(book, change, calendars);
  const next = { ...recorded, ...refolded.folded };
  return { book: { ...next, causes: withCauses(book, next, entry) }, outcome: refolded.outcome };
}

/** The book as it was when it held so many facts: folded once, and only from where the two part. */
export function bookUntil(book: Book, length: number, calendars: Calendars): Book {
  return atOnce(foldUntil(book, length, calendars));
}

/** The same, for who stops now and then. */
export function* foldUntil(book: Book, length: number, calendars: Calendars): InPieces<Book> {
  if (length >= book.length) return book;
  const record = recordUntil(book, length);
  const steps = listOf(stepsOf(record));
  const folded = yield* foldFrom(keptBefore(book, alike(book.steps, steps)), steps, calendars);
  const { seq } = length === 0 ? { seq: 0 } : book.log.nth(length - 1);
  return {
    ...record,
    ...folded,
    causes: book.causes.filter((since) => since.seq <= seq),
    lateReversals: book.lateReversals.filter((late) => late.seq <= seq),
  };
}

/** How many steps are folded already where something changes at a place: from there on they are folded again. */
export function foldedBefore(book: Book, place: StepPosition): number {
  return keptBefore(book, placeOf(book.steps, place)).last.at;
}

/**
 * The figures of what is recorded, folded once however it was dated. Which recording made an act fail, and which reversal
 * came late, one fold does not see: a book of it tells of no anomaly.
 */
export function* foldOnce(record: FactRecord, calendars: Calendars): InPieces<Book> {
  const folded = yield* foldFrom({ marks: [], last: START }, listOf(stepsOf(record)), calendars);
  return { ...record, ...folded, causes: [], lateReversals: [] };
}

/** How many steps two folds begin with alike. */
function alike(one: GrownList<Step>, other: GrownList<Step>): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at += 1) if (!isSameStep(itemAt(one, at), itemAt(other, at))) return at;
  return most;
}

/** A book grown for a fact that is not taken is dropped, so that the next fact need not copy what the two share. */
export function forget(book: Book, grownFrom: Book): void {
  grownFrom.log.forget(book.length);
  if (grownFrom.steps.items === book.steps.items) shrink(grownFrom.steps.items, book.steps.length);
}

/**
 * What is most of a long book is kept as its lines from now on, and read when it is asked for. A Receipt is sixteen things
 * to whoever collects garbage, and five with its line; no value of the book answers otherwise for it.
 */
export function putAway({ log, length, steps }: Book, read: ReadLine): void {
  const places = log.putAway(length, read);
  replaceAlike(steps, (step) => {
    const at = step.type === 'receipt' ? places.get(step.seq) : undefined;
    return at === undefined ? step : receiptLater(step, log, at);
  });
}

/** The steps of the fold with the fact, and the first of them that may differ. */
type Change = { readonly steps: GrownList<Step>; readonly from: number; readonly own?: Step };

function changeOf(before: Book, after: Book, seq: number, fact: Fact): Change {
  switch (fact.type) {
    case 'issuance':
      return insert(before.steps, issuanceStep(fact, before.loans.length, seq));
    case 'receipt':
      return insert(before.steps, receiptStep(fact, seq));
    case 'reversal':
      return remove(before.steps, stepOfReceipt(before, fact));
    case 'act':
      return changeOfAct(before, after, seq, fact);
    case 'retraction':
      return changeOfRetraction(before, after, fact);
  }
}

function stepOfReceipt(book: Book, reversal: Reversal): Step {
  const receipt = book.log.receipt(book.length, reversal.receipt);
  if (receipt === undefined) throw new Error('a reversal names a Receipt of the book');
  return receiptStep(receipt.fact, receipt.seq);
}

function changeOfAct(before: Book, after: Book, seq: number, act: Act): Change {
  if (act.kind === 'cancelled') return replace(before.steps, stepOfIssuance(after, act.loan));
  if (act.kind === 'suspension_ended')
    return replace(before.steps, stepOfSuspension(after, act.loan, act.body.suspension));
  return insert(before.steps, actStep(act, seq));
}

function changeOfRetraction(before: Book, after: Book, { loan, target }: Retraction): Change {
  const withdrawn = (before.loans[loan] as LoanRecord).acts.find(({ fact }) => fact.event === target);
  if (withdrawn === undefined) throw new Error('a retraction names an event of its Loan');
  const { fact, seq } = withdrawn;
  if (fact.kind === 'cancelled') return replace(before.steps, stepOfIssuance(after, loan));
  if (fact.kind === 'suspension_ended')
    return replace(before.steps, stepOfSuspension(after, loan, fact.body.suspension));
  return remove(before.steps, actStep(fact, seq));
}

/** The Loan's own step, cancelled while a cancellation of it is in force. */
function stepOfIssuance(book: FactRecord, order: number): Step {
  const loan = book.loans[order] as LoanRecord;
  const cancelled = actsInForce(loan).find(({ fact }) => fact.kind === 'cancelled');
  return issuanceStep(loan.issuance, order, loan.seq, cancelled?.fact.event);
}

/** The suspension's step, with its early end while one is in force. */
function stepOfSuspension(book: FactRecord, order: number, event: string): Step {
  const loan = book.loans[order] as LoanRecord;
  const suspension = loan.acts.find(({ fact }) => fact.event === event);
  if (suspension === undefined) throw new Error('an early end names a suspension of its Loan');
  const end = actsInForce(loan).find(({ fact }) => fact.kind === 'suspension_ended' && fact.body.suspension === event);
  return actStep(
    suspension.fact as SteppingAct,
    suspension.seq,
    (end?.fact as ActOf<'suspension_ended'> | undefined)?.on,
  );
}

/** How many steps come before the place: where a step stands, or would stand. */
export function placeOf(steps: GrownList<Step>, place: StepPosition): number {
  let low = 0;
  let high = steps.length;
  // Most facts come last.
  if (high > 0 && comesBefore(itemAt(steps, high - 1), place) < 0) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(itemAt(steps, middle), place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(steps: GrownList<Step>, step: Step): Change {
  const from = placeOf(steps, step);
  if (from === steps.length) return { steps: grown(steps, step), from, own: step };
  return { steps: spliced(steps, from, 0, [step]), from, own: step };
}

function remove(steps: GrownList<Step>, step: Step): Change {
  const from = placeOf(steps, step);
  return { steps: spliced(steps, from, 1, []), from };
}

function replace(steps: GrownList<Step>, step: Step): Change {
  const from = placeOf(steps, step);
  return { steps: spliced(steps, from, 1, [step]), from };
}

function spliced(steps: GrownList<Step>, at: number, gone: number, come: readonly Step[]): GrownList<Step> {
  const items = steps.items.slice(0, steps.length);
  items.splice(at, gone, ...come);
  return listOf(items);
}

type Folded = Pick<Book, 'steps' | 'lastOn' | 'marks' | 'head'>;

type Refolded = { readonly folded: Folded; readonly outcome: StepOutcome | undefined };

function refold(book: Book, { steps, from, own }: Change, calendars: Calendars): Refolded {
  const { marks: kept, last } = keptBefore(book, from);
  let marks = kept;
  let { state } = last;
  let outcome: StepOutcome | undefined;
  for (let at = last.at; at < steps.length; at += 1) {
    const step = itemAt(steps, at);
    const folded = foldStep(state, step, calendars);
    state = folded.state;
    if (step === own) outcome = folded.outcome;
    if ((at + 1) % STRIDE === 0) marks = [...marks, { at: at + 1, state }];
  }
  return { folded: { steps, lastOn: lastDayOf(steps), marks, head: state }, outcome };
}

/** Stops at each mark for whoever else waits. */
function* foldFrom(kept: Kept, steps: GrownList<Step>, calendars: Calendars): InPieces<Folded> {
  const marks = [...kept.marks];
  let { state } = kept.last;
  for (let at = kept.last.at; at < steps.length; at += 1) {
    state = foldStep(state, itemAt(steps, at), calendars).state;
    if ((at + 1) % STRIDE !== 0) continue;
    marks.push({ at: at + 1, state });
    yield;
  }
  return { steps, lastOn: lastDayOf(steps), marks, head: state };
}

function lastDayOf(steps: GrownList<Step>): CivilDay | undefined {
  return steps.length === 0 ? undefined : itemAt(steps, steps.length - 1).on;
}

type Kept = { readonly marks: readonly Mark[]; readonly last: Mark };

/** The states that stand before a step, and the last of them, which the fold begins at again. */
function keptBefore(book: Book, from: number): Kept {
  // At the end nothing is folded again: the state before the new step is the head.
  if (from === book.steps.length) return { marks: book.marks, last: { at: from, state: book.head } };
  const marks = book.marks.slice(0, marksUntil(book.marks, from));
  return { marks, last: marks.at(-1) ?? START };
}

const START: Mark = { at: 0, state: EMPTY };

/** How many of the marks stand after `count` steps or fewer. */
function marksUntil(marks: readonly Mark[], count: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle] as Mark).at <= count) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type FoldedTo = Pick<Book, 'lastOn' | 'head' | 'marks' | 'causes' | 'lateReversals'>;

/** A book put together again from its record and what `count` steps were folded to. */
export function restoredBook(record: FactRecord, count: number, folded: FoldedTo): Book {
  return { ...record, ...folded, steps: listLater(count, () => stepsOf(record)) };
}

/** The steps of the fold in their order, which follows from the record. */
export function stepsOf(book: FactRecord): readonly Step[] {
  const steps: Step[] = book.loans.map((_loan, order) => stepOfIssuance(book, order));
  for (const [order, loan] of book.loans.entries()) {
    for (const { seq, fact } of actsInForce(loan)) {
      if (fact.kind === 'cancelled' || fact.kind === 'suspension_ended') continue;
      steps.push(fact.kind === 'suspended' ? stepOfSuspension(book, order, fact.event) : actStep(fact, seq));
    }
  }
  for (const { seq, fact } of book.log.facts(book.length)) {
    if (fact.type !== 'receipt' || book.log.reversal(book.length, fact.reference) !== undefined) continue;
    steps.push(receiptStep(fact, seq));
  }
  return steps.sort(comesBefore);
}

/** The state after the first `count` steps of the fold. */
export function stateAfter(book: Book, count: number, calendars: Calendars): State {
  if (count === book.steps.length) return book.head;
  const mark = book.marks[marksUntil(book.marks, count) - 1] ?? START;
  let { state } = mark;
  for (let at = mark.at; at < count; at += 1) state = foldStep(state, itemAt(book.steps, at), calendars).state;
  return state;
}

/** How many steps are dated on the day or before. */
export function stepsUntil(book: Book, on: CivilDay): number {
  let low = 0;
  let high = book.steps.length;
  if (book.lastOn === undefined || book.lastOn <= on) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(book.steps, middle).on <= on) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The book's state by all that is dated on the day or before, whenever it was recorded. */
export function stateOn(book: Book, on: CivilDay, calendars: Calendars): State {
  return stateAfter(book, stepsUntil(book, on), calendars);
}

/** What a recorded Receipt came to, folded again up to it. Undefined for a reversed one. */
export function outcomeOf(
  book: Book,
  receipt: ReceiptFact,
  seq: number,
  calendars: Calendars,
): StepOutcome | undefined {
  const step = receiptStep(receipt, seq);
  const at = placeOf(book.steps, step);
  if (at >= book.steps.length || comesBefore(itemAt(book.steps, at), step) !== 0) return undefined;
  return foldStep(stateAfter(book, at, calendars), itemAt(book.steps, at), calendars).outcome;
}

function nameOf(fact: Fact): FactName {
  switch (fact.type) {
    case 'receipt':
    case 'reversal':
      return { type: fact.type, id: fact.reference };
    case 'retraction':
      return { type: 'event', id: fact.target };
    case 'issuance':
    case 'act':
      return { type: 'event', id: fact.event };
  }
}

/** Which recording made each standing act's rule fail: kept while it goes on failing, new where it began with this fact. */
function withCauses(before: Book, after: Book, { seq, fact }: RecordedFact): Book['causes'] {
  const { loans } = after.head;
  const were = before.head.loans;
  // Nearly always no act is bounded, and then nearly always the same ones stay so.
  const asBefore = (loan: Loan | undefined, was: Loan | undefined) => loan === was || loan?.bounded === was?.bounded;
  if (loans.every((loan, order) => asBefore(loan, were[order]))) return before.causes;
  const known = causesNow(before);
  const causes = new Map<string, Cause>();
  for (const { event, kind } of loans.flatMap((loan) => loan?.bounded ?? [])) {
    const cause = known.get(event);
    causes.set(event, cause?.kind === kind ? cause : { kind, fact: nameOf(fact) });
  }
  return isSame(known, causes) ? before.causes : [...before.causes, { seq, causes }];
}

function isSame(known: Causes, causes: Causes): boolean {
  if (known.size !== causes.size) return false;
  for (const [event, cause] of causes) if (known.get(event) !== cause) return false;
  return true;
}

function withLateReversals(book: Book, { seq, fact }: RecordedFact): readonly LateReversal[] {
  if (fact.type !== 'reversal') return book.lateReversals;
  const receipt = book.log.receipt(book.length, fact.receipt);
  const late = book.head.loans.flatMap((loan, order) => {
    if (loan === undefined || receipt === undefined || !reached(loan, receipt.fact.reference)) return [];
    const after = lateKinds(book.loans[order] as LoanRecord);
    return after.length === 0 ? [] : [{ seq, loan: order, reversal: fact.reference, after }];
  });
  return late.length === 0 ? book.lateReversals : [...book.lateReversals, ...late];
}

function lateKinds(record: LoanRecord): LateReversal['after'] {
  const standing = actsInForce(record);
  const named = (act: ActKind, kind: LateKind) =>
    standing.flatMap(({ fact }) => (fact.kind === act ? [{ act: fact.event, kind }] : []));
  return [...named('ceded', 'reversal_after_cession'), ...named('written_off', 'reversal_after_write_off')];
}

function reached(loan: Loan, receipt: string): boolean {
  for (let each = loan.received; each !== undefined; each = each.before) if (each.receipt === receipt) return true;
  return false;
}
