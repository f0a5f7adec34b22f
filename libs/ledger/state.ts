import type { Loan } from '#libs/ledger/loan.ts';

export type LoanState =
  | 'active'
  | 'closed'
  | 'cancelled'
  | 'written_off'
  | 'ceded'
  | 'held'
  | 'voided'
  | 'rescinded'
  | 'withdrawn'
  | 'restructured';

/** The state the recorded facts amount to, by precedence where several would do. */
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
