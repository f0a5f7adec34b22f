/** Folds one act: accrues the Loan to the act's day, checks the act's rule, and applies the act or the part that fits. */

import { addDays, type CivilDay } from '#libs/calendar/civil-day.ts';
import type { ActContext, ActFact } from '#libs/ledger/act.ts';
import { suspension } from '#libs/ledger/acts/suspension.ts';
import { accrueTo } from '#libs/ledger/charges/accrue-to.ts';
import { isInForce, type Loan, markSettled } from '#libs/ledger/loan.ts';
import { refusalOnDay } from '#libs/ledger/loan-state.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

/** `failed`: why the act does not apply, or not in full. Admission refuses with it; a recorded act becomes an anomaly. */
export type FoldedAct = { readonly loan: Loan; readonly failed?: Refusal };

export function foldAct(loan: Loan, fact: ActFact, context: ActContext): FoldedAct {
  // Acts on a cancelled or voided Loan have no effect, and that is no anomaly.
  if (loan.cancelled || loan.voided) return { loan };
  const { definition } = fact;
  const accrued = accrueTo(loan, accrualDay(fact));
  const barred = refusalOnDay(accrued, definition.states);
  if (barred !== undefined) {
    // A written-off Loan admits some acts even when nothing is left of it. A new one then fails by its own rule.
    const isRecovered = barred.code === 'loan_closed' && accrued.writeOff !== undefined;
    const failed = isRecovered ? definition.rule?.(accrued, fact, context) : undefined;
    return { loan: withAnomaly(accrued, fact, barred), failed: failed ?? barred };
  }
  const applied = definition.rule?.(accrued, fact, context) ?? definition.apply(accrued, fact, context);
  const failed = isRefusal(applied) ? applied : undefined;
  const changed = isRefusal(applied) ? definition.applyPart?.(accrued, fact, context) : applied;
  const settled = changed === undefined ? accrued : markSettled(changed, fact.on);
  const after = withoutLaterSuspensions(settled, fact, context);
  return failed === undefined ? { loan: after } : { loan: withAnomaly(after, fact, failed), failed };
}

/** The Loan with an earlier fact amended: cancelled, or its suspension shortened. */
export function applyAmendment(loan: Loan, amendment: ActFact | undefined, context: ActContext): Loan {
  if (amendment === undefined) return loan;
  const amended = amendment.definition.apply(loan, amendment, context);
  if (isRefusal(amended)) throw new Error(`the amendment ${amendment.kind} cannot be applied: ${amended.code}`);
  return amended;
}

/** A suspension covers its own day, so lateness and penalty of that day already see it. */
export function accrualDay({ definition, on }: ActFact): CivilDay {
  return definition.timeOfDay === 'before_opening' ? addDays(on, -1) : on;
}

/**
 * A suspension takes effect as its day opens, even when it was recorded after an act of that day that ends the Loan.
 * Its effect is undone then.
 */
function withoutLaterSuspensions(loan: Loan, { on }: ActFact, { seq }: ActContext): Loan {
  if (isInForce(loan)) return loan;
  const late = loan.suspensions.filter((each) => each.from === on && each.seq > seq);
  const refusal = refusalOnDay(loan, suspension.states);
  if (late.length === 0 || refusal === undefined) return loan;
  const anomalies = late.map(({ event }) => ({ kind: refusal.code, event }));
  return {
    ...loan,
    suspensions: loan.suspensions.filter((each) => !late.includes(each)),
    bounded: [...loan.bounded, ...anomalies],
  };
}

function withAnomaly(loan: Loan, { event }: ActFact, { code }: Refusal): Loan {
  return { ...loan, bounded: [...loan.bounded, { kind: code, event }] };
}
