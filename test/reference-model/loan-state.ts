/** The state of a Loan and what each state refuses. */
import type { ActKind } from './input.ts';
import type { Loan } from './loan.ts';

export type State =
  | 'voided'
  | 'held'
  | 'cancelled'
  | 'rescinded'
  | 'withdrawn'
  | 'ceded'
  | 'written_off'
  | 'closed'
  | 'restructured'
  | 'active';

/** The state by the precedence of interface.md, highest first. */
export function stateOf(loan: Loan): State {
  if (loan.endedAs === 'voided') return 'voided';
  if (loan.held && loan.confirmedOn === undefined) return 'held';
  if (loan.endedAs === 'cancelled') return 'cancelled';
  if (loan.undone !== undefined) return loan.undone.kind;
  if (loan.ceded !== undefined) return 'ceded';
  if (loan.writeOff !== undefined) return 'written_off';
  if (loan.discharged !== undefined) return 'closed';
  return loan.restructured ? 'restructured' : 'active';
}

export function owesOf(loan: Loan): boolean {
  switch (stateOf(loan)) {
    case 'active':
    case 'restructured':
    case 'ceded':
      return true;
    case 'written_off':
      return loan.discharged === undefined;
    default:
      return false;
  }
}

const UNDOINGS: ReadonlySet<ActKind> = new Set(['cancel', 'rescind', 'withdraw']);
const HOLDS: ReadonlySet<ActKind> = new Set(['confirm', 'void']);

/** Section 8 of fold.md: the refusal of an act in a state, row by row; a retraction has its own rule. */
export function refusalByState(state: State, kind: ActKind): string | undefined {
  switch (state) {
    case 'active':
    case 'restructured':
      return HOLDS.has(kind) ? 'not_held' : undefined;
    case 'closed':
      if (HOLDS.has(kind)) return 'not_held';
      if (kind === 'cancel') return 'loan_has_receipts';
      return kind === 'return' || UNDOINGS.has(kind) ? undefined : 'loan_closed';
    case 'written_off':
      if (HOLDS.has(kind)) return 'not_held';
      return kind === 'cession' || kind === 'waiver' || kind === 'settlement' ? undefined : 'already_written_off';
    case 'ceded':
      return kind === 'cession' ? 'already_ceded' : 'cession_in_force';
    case 'held':
      return HOLDS.has(kind) ? undefined : 'loan_held';
    case 'voided':
      return 'loan_voided';
    case 'cancelled':
      return kind === 'cession' ? 'invalid_event' : 'loan_cancelled';
    case 'rescinded':
    case 'withdrawn':
      return 'loan_undone';
  }
}
