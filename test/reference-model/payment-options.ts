/** The payment options of a Client. */
import { remainingAgreed } from './allocate.ts';
import { type Day, toText } from './days.ts';
import type { FoldResult } from './fold.ts';
import {
  canReceivePayment,
  chargesAnything,
  type Loan,
  type PerCharge,
  type Period,
  payoffByPeriod,
  type TaxedAmount,
  total,
  unpaid,
} from './loan.ts';
import { suspensionAnswer } from './loan-answers.ts';
import { min, round } from './numbers.ts';
import {
  debtOn,
  isBeforeAnchor,
  isOwedToTenant,
  lateAnswer,
  overdueOn,
  owedAnswer,
  sumOwed,
  zeroLines,
} from './owed-figures.ts';

export function paymentOptionsAnswer(folded: FoldResult, on: Day): Record<string, unknown> {
  return { on: toText(on), loans: folded.loans.map((loan) => optionsOf(folded, loan, on)) };
}

function optionsOf(folded: FoldResult, loan: Loan, on: Day): Record<string, unknown> {
  const others = folded.loans.some(
    (other) => other !== loan && other.currency === loan.currency && canReceivePayment(other, on),
  );
  const answer: Record<string, unknown> = {
    loan_id: loan.fact.id,
    reference: loan.fact.reference,
    overdue: owedAnswer(overdueOn(loan, on)),
    payoff: {
      owed: owedAnswer(quotedPayoff(loan, on)),
      actionable_on: toText(Math.max(on, loan.anchor)),
      requires_payoff_intent: true,
      requires_designation: others,
    },
    any_other_amount: { treatment: loan.product.treatment },
  };
  const late = lateAnswer(loan, on);
  const suspension = suspensionAnswer(loan, on);
  const instalment = instalmentOn(loan, on);
  if (late !== undefined) answer['late'] = late;
  if (suspension !== undefined) answer['suspension'] = suspension;
  if (loan.waivers.length > 0) answer['waivers'] = loan.waivers.map(({ act, amount }) => waiverAnswer(act, amount));
  if (instalment !== undefined) answer['instalment'] = instalmentAnswer(loan, instalment, on);
  return answer;
}

function waiverAnswer(act: { reference: string; on: string; period?: number; charge?: string }, amount: bigint) {
  return { reference: act.reference, on: act.on, period: act.period, charge: act.charge, amount: Number(amount) };
}

/** While a settlement runs: the rest of the agreed amount, in the lines that it would pay if everything had fallen due. */
function quotedPayoff(loan: Loan, on: Day): PerCharge<TaxedAmount> {
  const debt = debtOn(loan, on);
  const agreed = isOwedToTenant(loan, on) ? remainingAgreed(loan, on) : undefined;
  if (agreed === undefined || agreed >= total(debt)) return debt;
  const lines = zeroLines();
  let left = agreed;
  const due = payoffByPeriod(loan, on).sort(
    (a, b) => a.period.dueOn - b.period.dueOn || a.period.index - b.period.index,
  );
  for (const { owed } of due) {
    for (const charge of loan.product.chargeOrder) {
      const whole = owed[charge].amount + owed[charge].tax;
      const paid = min(whole, left);
      if (paid === 0n) continue;
      const tax = paid === whole ? owed[charge].tax : round(paid * owed[charge].tax, whole);
      lines[charge] = { amount: lines[charge].amount + paid - tax, tax: lines[charge].tax + tax };
      left -= paid;
    }
  }
  return lines;
}

/** Section 12 of fold.md: no instalment once every period has fallen due, or on a fixed debt. */
function instalmentOn(loan: Loan, on: Day): Period | undefined {
  if (!(isOwedToTenant(loan, on) || isBeforeAnchor(loan, on)) || loan.fixed) return undefined;
  if (!loan.periods.some((period) => period.alive && period.dueOn > on && chargesAnything(loan, period)))
    return undefined;
  return loan.periods.find((period) => period.dueOn >= on && unpaid(loan, period) > 0n);
}

function instalmentAnswer(loan: Loan, period: Period, on: Day): Record<string, unknown> {
  return {
    period: period.index,
    scheduled_on: toText(period.scheduledOn),
    due_on: toText(period.dueOn),
    owed: owedAnswer(sumOwed(loan, [period])),
    actionable_from: toText(period.actionableFrom),
    requires_overdue_settled: loan.periods.some((other) => other.dueOn < period.dueOn && unpaid(loan, other) > 0n),
    settled_by: period.dueOn === on ? 'overdue' : 'instalment',
  };
}
