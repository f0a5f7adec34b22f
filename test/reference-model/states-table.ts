import type { ActKind } from './input.ts';
import type { State } from './state.ts';

const UNDOINGS: ReadonlySet<ActKind> = new Set(['cancel', 'rescind', 'withdraw']);
const HOLDS: ReadonlySet<ActKind> = new Set(['confirm', 'void']);

/** fold.md 8: the refusal of an act in a state, row by row; a retraction has its own rule. */
export function stateTable(state: State, kind: ActKind): string | undefined {
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
