/** A step is one fact in the order of the fold: by day, by rank within the day, then by sequence. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Act, ActFact, TimeOfDay } from '#libs/ledger/act.ts';
import type { FactLog } from '#libs/ledger/fact-log.ts';
import type { Issuance, ReceiptFact } from '#libs/ledger/facts.ts';

export type StepPosition = { readonly on: CivilDay; readonly rank: number; readonly seq: number };

/** `amendment` is the act in force that changes the fact of the step: a cancellation, an early end of a suspension. */
export type IssuanceStep = StepPosition & {
  readonly type: 'issuance';
  readonly issuance: Issuance;
  readonly order: number;
  readonly amendment?: ActFact;
};
export type ActStep = StepPosition & { readonly type: 'act'; readonly act: ActFact; readonly amendment?: ActFact };
export type ReceiptStep = StepPosition & { readonly type: 'receipt'; readonly receipt: ReceiptFact };

export type FoldStep = IssuanceStep | ActStep | ReceiptStep;

/** A Receipt's step whose fact is parsed from its snapshot line when it is folded. */
class LazyReceiptStep implements ReceiptStep {
  readonly type = 'receipt' as const;
  readonly rank = RECEIPT_RANK;
  readonly on: CivilDay;
  readonly seq: number;
  readonly #log: FactLog;
  readonly #index: number;

  constructor({ on, seq }: StepPosition, log: FactLog, index: number) {
    this.on = on;
    this.seq = seq;
    this.#log = log;
    this.#index = index;
  }

  isReadFrom(log: FactLog): boolean {
    return this.#log === log;
  }

  get receipt(): ReceiptFact {
    const { fact } = this.#log.entryAt(this.#index);
    if (fact.type !== 'receipt') throw new Error(`the fact at index ${this.#index} of the log is not a Receipt`);
    return fact;
  }
}

export const ISSUANCE_RANK = -3;
export const RECEIPT_RANK = 1;

const ACT_RANKS: { readonly [time in TimeOfDay]: number } = {
  first: -2,
  before_opening: -1,
  course: 0,
  after_receipts: 2,
  end_of_day: 3,
};

export function rankOf(act: Act): number {
  return ACT_RANKS[act.timeOfDay];
}

/** The order in which a day's acts are listed: rollovers after Receipts, cessions last, all others as recorded. */
export function rankAmongActs({ definition }: ActFact): number {
  return Math.max(ACT_RANKS.course, rankOf(definition));
}

export function issuanceStep(issuance: Issuance, order: number, seq: number, amendment?: ActFact): IssuanceStep {
  const position = { on: issuance.terms.anchor, rank: ISSUANCE_RANK, seq };
  const step = { ...position, type: 'issuance' as const, issuance, order };
  return amendment === undefined ? step : { ...step, amendment };
}

export function actStep(act: ActFact, seq: number, amendment?: ActFact): ActStep {
  const step = { on: act.on, rank: rankOf(act.definition), seq, type: 'act' as const, act };
  return amendment === undefined ? step : { ...step, amendment };
}

export function receiptStep(receipt: ReceiptFact, seq: number): ReceiptStep {
  return { on: receipt.valueDate, rank: RECEIPT_RANK, seq, type: 'receipt', receipt };
}

/** The same step with its Receipt left in the log, at that index. */
export function lazyReceiptStep(step: FoldStep, log: FactLog, index: number): FoldStep {
  // A step that reads from another log would keep that log in memory.
  return step instanceof LazyReceiptStep && step.isReadFrom(log) ? step : new LazyReceiptStep(step, log, index);
}

export function compareSteps(a: StepPosition, b: StepPosition): number {
  return a.on - b.on || a.rank - b.rank || a.seq - b.seq;
}

/** A fact always has the same step, unless it is amended. */
export function isSameStep(a: FoldStep, b: FoldStep): boolean {
  return a.seq === b.seq && amendedBy(a) === amendedBy(b);
}

function amendedBy(step: FoldStep): string | undefined {
  return step.type === 'receipt' ? undefined : step.amendment?.event;
}
