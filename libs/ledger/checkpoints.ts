/**
 * Folding with checkpoints: the state after every few steps is kept, so that a back-dated fact refolds only what comes
 * after it, and the state of an earlier day is found without folding from the beginning.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { emptyList, itemAt } from '#libs/ledger/append-list.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
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

/** The fold after a change of the steps, and the outcome of the added step if there is one. */
export function refold(
  folded: FoldedSteps,
  { steps, from, own }: StepChange,
  calendars: Calendars,
): { readonly folded: FoldedSteps; readonly outcome: StepOutcome | undefined } {
  const { checkpoints: kept, resumeFrom: last } = checkpointsBefore(folded, from);
  let checkpoints = kept;
  let { state } = last;
  let outcome: StepOutcome | undefined;
  for (let at = last.at; at < steps.length; at += 1) {
    const step = itemAt(steps, at);
    const result = foldStep(state, step, calendars);
    state = result.state;
    if (step === own) outcome = result.outcome;
    if ((at + 1) % CHECKPOINT_INTERVAL === 0) checkpoints = [...checkpoints, { at: at + 1, state }];
  }
  return { folded: { steps, lastOn: lastDayOf(steps), checkpoints, head: state }, outcome };
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
export function stateAfter({ steps, checkpoints, head }: FoldedSteps, count: number, calendars: Calendars): BookState {
  if (count === steps.length) return head;
  const checkpoint = checkpoints[countCheckpoints(checkpoints, count) - 1] ?? START;
  let { state } = checkpoint;
  for (let at = checkpoint.at; at < count; at += 1) state = foldStep(state, itemAt(steps, at), calendars).state;
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
