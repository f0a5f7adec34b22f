import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { FactLog } from '#libs/ledger/fact-record.ts';
import type { Act, ActKind, ActOf, Issuance, ReceiptFact } from '#libs/ledger/facts.ts';

/** Cancellations and early ends are no steps of their own: they change the fact they name, wherever it stands. */
export type ChangingKind = 'cancelled' | 'suspension_ended';

export type SteppingKind = Exclude<ActKind, ChangingKind>;

export type SteppingAct = { [Kind in SteppingKind]: ActOf<Kind> }[SteppingKind];

/** Where a step stands: by day, rank within the day, recording. */
export type StepPosition = { readonly on: CivilDay; readonly rank: number; readonly seq: number };

/** A fact at its place in the fold. */
export type Step = StepPosition &
  (
    | { readonly type: 'issuance'; readonly issuance: Issuance; readonly order: number; readonly cancelled?: string }
    | { readonly type: 'act'; readonly act: SteppingAct; readonly endedOn?: CivilDay }
    | { readonly type: 'receipt'; readonly receipt: ReceiptFact }
  );

/** The step of a Receipt that is kept as its line: where it stands is known, what it says is read when it is folded. */
class ReceiptLater implements StepPosition {
  readonly type = 'receipt' as const;
  readonly rank = RANK.receipt;
  readonly on: CivilDay;
  readonly seq: number;
  readonly #log: FactLog;
  readonly #at: number;

  constructor({ on, seq }: StepPosition, log: FactLog, at: number) {
    this.on = on;
    this.seq = seq;
    this.#log = log;
    this.#at = at;
  }

  isReadFrom(log: FactLog): boolean {
    return this.#log === log;
  }

  get receipt(): ReceiptFact {
    return this.#log.nth(this.#at).fact as ReceiptFact;
  }
}

/**
 * Within a day a Loan is there before anything is done to it, and the clock's stops are known before the day opens:
 * a suspension covers its own day. Then acts, Receipts, rollovers (which find the day's money settled), and cessions,
 * which take effect at the end of the day.
 */
export const RANK = {
  issuance: -3,
  confirmed: -2,
  suspended: -1,
  act: 0,
  receipt: 1,
  rolled_over: 2,
  ceded: 3,
} as const;

export function rankOf(kind: SteppingKind): number {
  switch (kind) {
    case 'confirmed':
    case 'suspended':
    case 'rolled_over':
    case 'ceded':
      return RANK[kind];
    default:
      return RANK.act;
  }
}

/** Where a day's acts stand among each other in the document's order: rollovers after Receipts, cessions at its end. */
export function withinDay(act: Act): number {
  return act.kind === 'rolled_over' || act.kind === 'ceded' ? RANK[act.kind] : RANK.act;
}

export function issuanceStep(issuance: Issuance, order: number, seq: number, cancelled?: string): Step {
  const at = { on: issuance.terms.anchor, rank: RANK.issuance, seq };
  const step = { ...at, type: 'issuance' as const, issuance, order };
  return cancelled === undefined ? step : { ...step, cancelled };
}

export function actStep(act: SteppingAct, seq: number, endedOn?: CivilDay): Step {
  const step = { on: act.on, rank: rankOf(act.kind), seq, type: 'act' as const, act };
  return endedOn === undefined ? step : { ...step, endedOn };
}

export function receiptStep(receipt: ReceiptFact, seq: number): Step {
  return { on: receipt.valueDate, rank: RANK.receipt, seq, type: 'receipt', receipt };
}

/** The same step; `at` is where its Receipt stands in the log. */
export function receiptLater(step: Step, log: FactLog, at: number): Step {
  // One that was read from the log of a value that is gone would keep that log.
  return step instanceof ReceiptLater && step.isReadFrom(log) ? step : new ReceiptLater(step, log, at);
}

/** The order of the fold: day, rank within the day, order of recording. */
export function comesBefore(a: StepPosition, b: StepPosition): number {
  return a.on - b.on || a.rank - b.rank || a.seq - b.seq;
}

/** A fact's step is the same for ever, but for the fact that cancels or ends it. */
export function isSameStep(a: Step, b: Step): boolean {
  if (a.seq !== b.seq) return false;
  if (a.type === 'issuance' && b.type === 'issuance') return a.cancelled === b.cancelled;
  if (a.type === 'act' && b.type === 'act') return a.endedOn === b.endedOn;
  return true;
}
