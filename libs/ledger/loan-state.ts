/** The state of a Loan, and which acts and retractions each state admits. */

import type { Loan } from '#libs/ledger/loan.ts';
import { type CodeWithDetails, type Refusal, refuse } from '#libs/schema/refusals.ts';

export const LOAN_STATES = [
  'active',
  'restructured',
  'closed',
  'written_off',
  'ceded',
  'held',
  'voided',
  'cancelled',
  'rescinded',
  'withdrawn',
] as const;

export type LoanState = (typeof LOAN_STATES)[number];

/**
 * The state the recorded facts amount to. Where several apply, the first one listed here wins. No state changes with
 * time alone, so a column can hold it: an expired hold is still `held` here, and the listing decides it by `on`.
 */
export function stateOf(loan: Loan): LoanState {
  if (loan.voided) return 'voided';
  if (loan.cancelled) return 'cancelled';
  if (loan.held) return 'held';
  if (loan.undone !== undefined) return loan.undone.kind;
  if (loan.cession !== undefined) return 'ceded';
  if (loan.writeOff !== undefined) return 'written_off';
  if (loan.discharged !== undefined) return 'closed';
  return loan.restructured ? 'restructured' : 'active';
}

/** The codes whose details include the admitted states and the state found. */
type StateRefusalCode = CodeWithDetails<'bound' | 'observed'>;

/** The states in which an act is admitted, as the act declares them. */
export type StateRules = {
  readonly admitted: readonly LoanState[];
  /** Refusal codes of the other states, where they differ from the common one of the state. */
  readonly refusals?: { readonly [state in LoanState]?: StateRefusalCode };
  /** The final state this act leads to. There only this act can be retracted. */
  readonly leadsTo?: LoanState;
  /** Also admitted on a written-off Loan whose debt was recovered in full. */
  readonly admittedOnceRecovered?: boolean;
};

/** Most acts are admitted only while the Loan runs. */
export const RUNNING: readonly LoanState[] = ['active', 'restructured'];

/** The code that refuses an act in a state, unless the act declares another one. */
const COMMON_REFUSAL: { readonly [state in LoanState]: StateRefusalCode } = {
  active: 'not_held',
  restructured: 'not_held',
  closed: 'loan_closed',
  written_off: 'already_written_off',
  ceded: 'cession_in_force',
  held: 'loan_held',
  voided: 'loan_voided',
  cancelled: 'loan_cancelled',
  rescinded: 'loan_undone',
  withdrawn: 'loan_undone',
};

/** Why the state does not admit the act, or undefined where it does. */
export function refusalInState(state: LoanState, rules: StateRules): Refusal | undefined {
  const code = refusalCode(state, rules);
  return code === undefined ? undefined : refuseInState(code, state, rules);
}

function refuseInState(code: StateRefusalCode, state: LoanState, { admitted }: StateRules): Refusal {
  return refuse(code, { bound: [...admitted], observed: state });
}

/** Every code with which some state refuses the act. */
export function stateRefusals(rules: StateRules): readonly StateRefusalCode[] {
  return LOAN_STATES.flatMap((state) => refusalCode(state, rules) ?? []);
}

function refusalCode(state: LoanState, { admitted, refusals }: StateRules): StateRefusalCode | undefined {
  return admitted.includes(state) ? undefined : (refusals?.[state] ?? COMMON_REFUSAL[state]);
}

/** One row for each act, one cell for each state: `ok` or the refusal code. */
export function statesTable(acts: readonly { readonly kind: string; readonly states: StateRules }[]) {
  return acts.map(({ kind, states }) => ({
    kind,
    cells: LOAN_STATES.map((state) => ({ state, answer: refusalCode(state, states) ?? ('ok' as const) })),
  }));
}

/** Why the state does not admit retracting the act. A final state admits retracting only the act that led to it. */
export function retractionRefusal(state: LoanState, target: StateRules): Refusal | undefined {
  switch (state) {
    case 'held':
      return refuse('not_retractable');
    case 'ceded':
    case 'voided':
    case 'cancelled':
    case 'rescinded':
    case 'withdrawn':
      return target.leadsTo === state
        ? undefined
        : refuse(COMMON_REFUSAL[state], { bound: 'the act that led to the state', observed: state });
    default:
      return undefined;
  }
}

/**
 * Why a recorded act has no effect on the Loan as it is on the act's day. The table above uses the state by all facts;
 * this covers acts that lost their effect through a fact recorded later with an earlier day.
 */
export function refusalOnDay(loan: Loan, rules: StateRules): Refusal | undefined {
  const { admitted, admittedOnceRecovered = false } = rules;
  if (loan.held) return admitted.includes('held') ? undefined : refuseInState('loan_held', 'held', rules);
  if (loan.undone !== undefined) return refuseInState('loan_undone', loan.undone.kind, rules);
  if (loan.cession !== undefined) return refuseInState('cession_in_force', 'ceded', rules);
  if (loan.writeOff !== undefined && !admitted.includes('written_off'))
    return refuseInState('already_written_off', 'written_off', rules);
  if (loan.discharged === undefined || admitted.includes('closed')) return undefined;
  return loan.writeOff !== undefined && admittedOnceRecovered
    ? undefined
    : refuseInState('loan_closed', 'closed', rules);
}
