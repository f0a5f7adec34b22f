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

/** interface.md: precedence where facts pile up, highest first. */
export function stateOf(loan: Loan): State {
  if (loan.gone === 'voided') return 'voided';
  if (loan.held && loan.confirmedOn === undefined) return 'held';
  if (loan.gone === 'cancelled') return 'cancelled';
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
