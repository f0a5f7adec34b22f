/** Answers about one Loan: the Loan, its schedule and its delinquency. */
import { type Day, toText } from './days.ts';
import { CHARGES } from './input.ts';
import { isLate, isSettledForLateness, type Loan, lineOf, owedOf, type Period, suspensionOn, unpaid } from './loan.ts';
import { owesOf, stateOf } from './loan-state.ts';
import { applyRate } from './numbers.ts';
import { isBeforeAnchor, isOwedToTenant, lateAnswer, owedAnswer, sumOwed, zeroLines } from './owed-figures.ts';

export interface Anomaly {
  kind: string;
  facts: { type: string; id: string }[];
}

/** The plan as issued, period 0 included. */
function issuedPlan(issued: Loan): Record<string, unknown>[] {
  const rows = issued.periods.map((period) => {
    const tax = applyRate(period.interest, issued.taxRates.interest) + applyRate(period.fee, issued.taxRates.fee);
    return {
      index: period.index,
      scheduled_on: toText(period.scheduledOn),
      due_on: toText(period.dueOn),
      principal: Number(period.principal),
      interest: Number(period.interest),
      fee: Number(period.fee),
      tax: Number(tax),
      payment: Number(period.principal + period.interest + period.fee + tax),
    };
  });
  const down = issued.fact.down_payment;
  if (down === undefined) return rows;
  const day = issued.fact.anchor;
  const purchase = {
    index: 0,
    scheduled_on: day,
    due_on: day,
    principal: down,
    interest: 0,
    fee: 0,
    tax: 0,
    payment: down,
  };
  return [purchase, ...rows];
}

export function loanAnswer(loan: Loan, issued: Loan, figure: string, anomalies: Anomaly[]): Record<string, unknown> {
  const state = stateOf(loan);
  const owes = owesOf(loan);
  const periods = issuedPlan(issued);
  const { discharged, writeOff } = loan;
  const answer: Record<string, unknown> = {
    id: loan.fact.id,
    state,
    rolled_over: loan.rollovers.length,
    periods,
    totals: { payments: periods.reduce((sum, period) => sum + (period['payment'] as number), 0) },
    paid: Number(loan.paid),
    owes,
    settled_periods: loan.periods.filter((period) => period.settledOn !== undefined).length,
    remaining_periods: remainingPeriods(loan),
    anomalies,
    disclosure: { convention: 'mx-cat', convention_version: 2, figure },
    settled_event: discharged?.byReceipt === true ? toText(discharged.on) : null,
  };
  if (owes) answer['owed_to'] = state === 'ceded' ? 'assignee' : 'tenant';
  if (state === 'closed' && discharged !== undefined) answer['closed_on'] = toText(discharged.on);
  if (state === 'ceded' && loan.ceded !== undefined) answer['ceded_on'] = toText(loan.ceded.on);
  if (writeOff !== undefined) {
    answer['write_off'] = {
      on: toText(writeOff.on),
      cost: owedAnswer(writeOff.cost),
      recovered: Number(writeOff.recovered),
    };
  }
  if (loan.returns.length > 0) answer['returns'] = returnsAnswer(loan);
  return answer;
}

function remainingPeriods(loan: Loan): number {
  if (loan.endedAs !== undefined || loan.undone !== undefined || loan.discharged !== undefined) return 0;
  return loan.periods.filter((period) => unpaid(loan, period) > 0n).length;
}

function returnsAnswer(loan: Loan): Record<string, unknown>[] {
  return loan.returns.map((entry) => ({
    act: entry.act.reference,
    on: entry.act.on,
    amount: Number(entry.amount),
    unwound_principal: Number(entry.unwoundPrincipal),
    principal_owed_back: Number(entry.principalOwedBack),
    interest_owed_back: Number(entry.interestOwedBack),
    still_owed: owedAnswer(entry.stillOwed),
    beyond_the_loan: Number(entry.beyondTheLoan),
    returned_whole: entry.returnedWhole,
  }));
}

export function scheduleAnswer(loan: Loan, on: Day): Record<string, unknown> {
  const quoted = isOwedToTenant(loan, on) || isBeforeAnchor(loan, on);
  return {
    loan_id: loan.fact.id,
    on: toText(on),
    level: Number(loan.level),
    periods: loan.periods.map((period) => periodAnswer(loan, period, on, quoted)),
  };
}

function periodAnswer(loan: Loan, period: Period, on: Day, quoted: boolean): Record<string, unknown> {
  const charged = zeroLines();
  const waived = zeroLines();
  for (const charge of CHARGES) {
    const line = lineOf(loan, period, charge);
    charged[charge] = line.charged;
    waived[charge] = line.waived;
  }
  return {
    index: period.index,
    scheduled_on: toText(period.scheduledOn),
    due_on: toText(period.dueOn),
    actionable_from: toText(period.actionableFrom),
    alive: period.alive,
    origin: period.origin,
    charged: owedAnswer(charged),
    settled: owedAnswer(period.settled),
    waived: owedAnswer(waived),
    owed: owedAnswer(quoted ? owedOf(loan, period) : zeroLines()),
    fallen_due: period.dueOn <= on,
    late: isOwedToTenant(loan, on) && isLate(loan, period, on),
    settled_on: period.settledOn === undefined ? null : toText(period.settledOn),
  };
}

export function delinquencyAnswer(loan: Loan, on: Day): Record<string, unknown> {
  const due = isOwedToTenant(loan, on)
    ? loan.periods.filter((period) => period.alive && period.dueOn <= on && unpaid(loan, period) > 0n)
    : [];
  const periods = due.map((period) => ({
    index: period.index,
    due_on: toText(period.dueOn),
    days_past_due: isSettledForLateness(loan, period) ? 0 : period.daysPastDue,
    owed: owedAnswer(sumOwed(loan, [period])),
  }));
  const answer: Record<string, unknown> = {
    loan_id: loan.fact.id,
    on: toText(on),
    days_past_due: Math.max(0, ...periods.map((period) => period.days_past_due)),
    periods,
  };
  const late = lateAnswer(loan, on);
  const suspension = suspensionAnswer(loan, on);
  if (late !== undefined) answer['late'] = late;
  if (suspension !== undefined) answer['suspension'] = suspension;
  return answer;
}

export function suspensionAnswer(loan: Loan, on: Day): Record<string, unknown> | undefined {
  const suspension = suspensionOn(loan, on);
  if (suspension === undefined || loan.endedAs !== undefined) return undefined;
  const { act, endedOn } = suspension;
  const answer = { event_id: act.id, reference: act.reference, from: act.on, to: act.to };
  return endedOn === undefined ? answer : { ...answer, ended_on: toText(endedOn) };
}
