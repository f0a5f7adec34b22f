/**
 * Folding with checkpoints: the state after every few steps is kept, so that a back-dated fact refolds only what comes
 * after it, and the state of an earlier day is found without folding from the beginning.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { emptyList, itemAt } from '#libs/ledger/append-list.ts';
import { type CooperativeTask, runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { ReceiptFact } from '#libs/ledger/facts.ts';
import { type BookState, EMPTY_STATE, foldStep, type StepOutcome } from '#libs/ledger/fold.ts';
import { indexOfPosition, type StepChange, type StepList } from '#libs/ledger/step-list.ts';
import { compareSteps, receiptStep } from '#libs/ledger/steps.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';

/** The state after the first `at` steps. */
export type Checkpoint = { readonly at: number; readonly state: BookState };

/** Steps and what they were folded to. */
export type FoldedSteps = {
  readonly steps: StepList;
  /** The day of the last step: a question about that day or a later one is answered from the head. */
  readonly lastOn: CivilDay | undefined;
  readonly checkpoints: readonly Checkpoint[];
  /** The state after all steps. */
  readonly head: BookState;
};

const START: Checkpoint = { at: 0, state: EMPTY_STATE };

export const NO_STEPS: FoldedSteps = {
  steps: emptyList(),
  lastOn: undefined,
  checkpoints: [],
  head: EMPTY_STATE,
};

/** A checkpoint is kept each time so many steps are folded. */
const CHECKPOINT_INTERVAL = 16;

/** What a change of the steps folds to: `members` with the fold, and the outcome of the added step if there is one. */
export type Refolded<Members> = { readonly book: Members & FoldedSteps; readonly outcome: StepOutcome | undefined };

/**
 * Only the added step is folded at once. What comes after it is folded when it is read first, so that back-dated
 * Receipts that follow one another cost as much together as one of them.
 */
export function refold<Members extends object>(
  folded: FoldedSteps,
  { steps, from, own }: StepChange,
  members: Members,
  calendars: Calendars,
): Refolded<Members> {
  const known = unfinishedFolds.get(folded)?.validBefore(from) ?? checkpointsBefore(folded, from);
  const fold = new UnfinishedFold(steps, known, calendars);
  const outcome = own === undefined ? undefined : fold.outcomeOf(from);
  const lastOn = lastDayOf(steps);
  if (fold.isFinished) return { book: { ...members, steps, lastOn, ...fold.finish() }, outcome };
  const book = {
    ...members,
    steps,
    lastOn,
    get checkpoints() {
      return fold.finish().checkpoints;
    },
    get head() {
      return fold.finish().head;
    },
  };
  unfinishedFolds.set(book, fold);
  return { book, outcome };
}

/** The folds of books of which not everything was read yet. */
const unfinishedFolds = new WeakMap<FoldedSteps, UnfinishedFold>();

class UnfinishedFold {
  readonly #steps: StepList;
  readonly #calendars: Calendars;
  #checkpoints: readonly Checkpoint[];
  #reached: Checkpoint;

  constructor(steps: StepList, { checkpoints, resumeFrom }: ValidCheckpoints, calendars: Calendars) {
    this.#steps = steps;
    this.#calendars = calendars;
    this.#checkpoints = checkpoints;
    this.#reached = resumeFrom;
  }

  get isFinished(): boolean {
    return this.#reached.at === this.#steps.length;
  }

  /** Where the fold of a list that has the same first `from` steps starts. */
  validBefore(from: number): ValidCheckpoints {
    if (this.#reached.at <= from) return { checkpoints: this.#checkpoints, resumeFrom: this.#reached };
    return keptBefore(this.#checkpoints, from);
  }

  outcomeOf(at: number): StepOutcome {
    while (this.#reached.at < at) this.#foldNext();
    return this.#foldNext();
  }

  finish(): Pick<FoldedSteps, 'checkpoints' | 'head'> {
    while (!this.isFinished) this.#foldNext();
    return { checkpoints: this.#checkpoints, head: this.#reached.state };
  }

  #foldNext(): StepOutcome {
    const { at, state } = this.#reached;
    const result = foldStep(state, itemAt(this.#steps, at), this.#calendars);
    this.#reached = { at: at + 1, state: result.state };
    if ((at + 1) % CHECKPOINT_INTERVAL === 0) this.#checkpoints = [...this.#checkpoints, this.#reached];
    return result.outcome;
  }
}

export function foldAll(steps: StepList, calendars: Calendars): CooperativeTask<FoldedSteps> {
  return foldFrom({ checkpoints: [], resumeFrom: START }, steps, calendars);
}

/** The fold of other steps, of which the first `common` are the same. */
export function foldFromCommonSteps(
  folded: FoldedSteps,
  common: number,
  steps: StepList,
  calendars: Calendars,
): CooperativeTask<FoldedSteps> {
  return foldFrom(checkpointsBefore(folded, common), steps, calendars);
}

/** Yields at each checkpoint. */
function* foldFrom(kept: ValidCheckpoints, steps: StepList, calendars: Calendars): CooperativeTask<FoldedSteps> {
  const checkpoints = [...kept.checkpoints];
  let { state } = kept.resumeFrom;
  for (let at = kept.resumeFrom.at; at < steps.length; at += 1) {
    state = foldStep(state, itemAt(steps, at), calendars).state;
    if ((at + 1) % CHECKPOINT_INTERVAL !== 0) continue;
    checkpoints.push({ at: at + 1, state });
    yield;
  }
  return { steps, lastOn: lastDayOf(steps), checkpoints, head: state };
}

function lastDayOf(steps: StepList): CivilDay | undefined {
  return steps.length === 0 ? undefined : itemAt(steps, steps.length - 1).on;
}

/** `last` is where folding starts again. */
type ValidCheckpoints = { readonly checkpoints: readonly Checkpoint[]; readonly resumeFrom: Checkpoint };

/** The checkpoints that stay valid where the step at index `from` changes. */
export function checkpointsBefore({ steps, checkpoints, head }: FoldedSteps, from: number): ValidCheckpoints {
  // A step added at the end is folded onto the head.
  if (from === steps.length) return { checkpoints, resumeFrom: { at: from, state: head } };
  return keptBefore(checkpoints, from);
}

function keptBefore(checkpoints: readonly Checkpoint[], from: number): ValidCheckpoints {
  const kept = checkpoints.slice(0, countCheckpoints(checkpoints, from));
  return { checkpoints: kept, resumeFrom: kept.at(-1) ?? START };
}

/** How many checkpoints are of `steps` steps or fewer. */
function countCheckpoints(checkpoints: readonly Checkpoint[], steps: number): number {
  let low = 0;
  let high = checkpoints.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((checkpoints[middle] as Checkpoint).at <= steps) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The state after the first `count` steps. */
export function stateAfter(folded: FoldedSteps, count: number, calendars: Calendars): BookState {
  return runToEnd(findStateAfter(folded, count, calendars));
}

/** As `stateAfter`. Hundreds of steps may follow the last checkpoint that is stored. */
export function* findStateAfter(
  { steps, checkpoints, head }: FoldedSteps,
  count: number,
  calendars: Calendars,
): CooperativeTask<BookState> {
  if (count === steps.length) return head;
  const checkpoint = checkpoints[countCheckpoints(checkpoints, count) - 1] ?? START;
  let { state } = checkpoint;
  for (let at = checkpoint.at; at < count; at += 1) {
    state = foldStep(state, itemAt(steps, at), calendars).state;
    yield;
  }
  return state;
}

/** How many steps are dated on the day or before. */
export function countStepsUntil({ steps, lastOn }: FoldedSteps, on: CivilDay): number {
  let low = 0;
  let high = steps.length;
  if (lastOn === undefined || lastOn <= on) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(steps, middle).on <= on) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The state by all facts dated on the day or before, whenever they were recorded. */
export function stateOn(folded: FoldedSteps, on: CivilDay, calendars: Calendars): BookState {
  return stateAfter(folded, countStepsUntil(folded, on), calendars);
}

/** How a recorded Receipt was allocated. Undefined for a reversed one. */
export function receiptOutcome(
  folded: FoldedSteps,
  receipt: ReceiptFact,
  seq: number,
  calendars: Calendars,
): StepOutcome | undefined {
  const { steps } = folded;
  const step = receiptStep(receipt, seq);
  const at = indexOfPosition(steps, step);
  if (at >= steps.length || compareSteps(itemAt(steps, at), step) !== 0) return undefined;
  return foldStep(stateAfter(folded, at, calendars), itemAt(steps, at), calendars).outcome;
}
