/** The fold: all facts in force, day by day, from the beginning. */
import { accrueDay } from './accrue-day.ts';
import { applyAct } from './acts.ts';
import { type Allocation, allocate } from './allocate.ts';
import { type Day, type Market, toDay } from './days.ts';
import type { ActFact, BookInput, Configuration, Fact, ReceiptFact } from './input.ts';
import { issueLoan } from './issue-loan.ts';
import { isInForce, type Loan, type Suspension, total } from './loan.ts';
import { productTermsOf } from './product-terms.ts';

export type BookContext = Pick<BookInput, 'market' | 'configurations'>;

export interface FoldStep {
  on: Day;
  rank: number;
  fact: ActFact | ReceiptFact;
}

/** Observes the steps of a fold. Statements are built this way. */
export interface FoldObserver {
  onStart(loans: Loan[]): void;
  onDayStart(on: Day): void;
  onStep(on: Day, fact: ActFact | ReceiptFact, allocation: Allocation | undefined): void;
  onDayEnd(on: Day): void;
}

export interface FoldResult {
  loans: Loan[];
  allocations: Map<string, Allocation>;
  /** By act: the code with which its own rule failed. */
  failed: Map<string, string>;
  to: Day;
}

/** Order within a day. A confirmation comes first, because the Loan is in force from it. */
const RANK: Partial<Record<ActFact['kind'], number>> = { confirm: -1, rollover: 2, cession: 3 };

/** Acts without a step of their own: they change another fact, or apply to the Loan whatever the day. */
const NO_STEP: ReadonlySet<ActFact['kind']> = new Set(['retraction', 'suspension-end', 'cancel', 'void']);

/** Section 3 of fold.md: folds all facts in force up to `to` from the beginning, day by day. */
export function fold(
  context: BookContext,
  facts: Fact[],
  to: Day,
  observer?: FoldObserver,
  candidate?: string,
): FoldResult {
  const factsInForce = inForce(facts);
  const loans = factsInForce
    .filter((fact) => fact.type === 'issuance')
    .map((fact, order) => {
      const loan = issueLoan(
        fact,
        productTermsOf(context.configurations[fact.configuration] as Configuration, context.market),
        context.market,
        order,
      );
      if (loan === undefined) throw new Error(`the calendar ends before the plan of ${fact.id}`);
      return applyUndatedActs(loan, factsInForce, to);
    });
  const byId = new Map(loans.map((loan) => [loan.fact.id, loan]));
  const folded: FoldResult = { loans, allocations: new Map(), failed: new Map(), to };
  observer?.onStart(loans);
  const steps = stepsOf(factsInForce, to);
  let next = 0;
  for (let day = firstDay(loans, steps); day <= to; day += 1) {
    for (const loan of loans) accrueDay(loan, day);
    observer?.onDayStart(day);
    for (; next < steps.length && (steps[next] as FoldStep).on === day; next += 1) {
      const { fact } = steps[next] as FoldStep;
      const allocation = fact.type === 'receipt' ? applyReceipt(folded, fact) : undefined;
      if (fact.type === 'act') applyActStep(folded, byId, fact, context.market, candidate);
      observer?.onStep(day, fact, allocation);
    }
    observer?.onDayEnd(day);
  }
  return folded;
}

/** The facts that are not reversed, retracted, or themselves a reversal or retraction. */
export function inForce(facts: Fact[]): Fact[] {
  const withdrawn = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'reversal') withdrawn.add(`receipt ${fact.receipt}`);
    if (fact.type === 'act' && fact.kind === 'retraction') withdrawn.add(`act ${fact.event_id}`);
  }
  return facts.filter((fact) => {
    if (fact.type === 'reversal') return false;
    if (fact.type === 'receipt') return !withdrawn.has(`receipt ${fact.reference}`);
    if (fact.type === 'act') return fact.kind !== 'retraction' && !withdrawn.has(`act ${fact.id}`);
    return true;
  });
}

/** The last day of any fact in force: undated answers are about this day. */
export function lastDay(facts: Fact[]): Day {
  let last = 0;
  for (const fact of inForce(facts)) {
    if (fact.type === 'issuance') last = Math.max(last, toDay(fact.anchor));
    if (fact.type === 'receipt') last = Math.max(last, toDay(fact.value_date));
    if (fact.type === 'act') last = Math.max(last, toDay(fact.on));
  }
  return last;
}

function stepsOf(factsInForce: Fact[], to: Day): FoldStep[] {
  const steps: FoldStep[] = [];
  for (const fact of factsInForce) {
    if (fact.type === 'receipt') steps.push({ on: toDay(fact.value_date), rank: 1, fact });
    if (fact.type === 'act' && !NO_STEP.has(fact.kind)) {
      steps.push({ on: toDay(fact.on), rank: RANK[fact.kind] ?? 0, fact });
    }
  }
  return steps.filter(({ on }) => on <= to).sort((a, b) => a.on - b.on || a.rank - b.rank);
}

function firstDay(loans: Loan[], steps: FoldStep[]): Day {
  const days = [...loans.map((loan) => loan.anchor), ...steps.slice(0, 1).map(({ on }) => on)];
  return Math.min(...days, Number.MAX_SAFE_INTEGER);
}

function applyUndatedActs(loan: Loan, factsInForce: Fact[], to: Day): Loan {
  const acts = factsInForce.filter((fact) => fact.type === 'act').filter((act) => act.loan === loan.fact.id);
  const confirm = acts.find((act) => act.kind === 'confirm');
  if (confirm !== undefined) loan.confirmedOn = toDay(confirm.on);
  if (acts.some((act) => act.kind === 'void')) loan.endedAs = 'voided';
  else if (acts.some((act) => act.kind === 'cancel')) loan.endedAs = 'cancelled';
  loan.suspensions = suspensionsOf(loan, acts, to);
  return loan;
}

/** Suspensions up to `to` in fold order, without those that overlap an earlier one. An early end counts whatever its day. */
function suspensionsOf(loan: Loan, acts: ActFact[], to: Day): Suspension[] {
  const effective: Suspension[] = [];
  const stated = acts.filter((act) => act.kind === 'suspension' && toDay(act.on) <= to);
  stated.sort((a, b) => toDay(a.on) - toDay(b.on));
  for (const act of stated) {
    const from = toDay(act.on);
    const end = acts.find((each) => each.kind === 'suspension-end' && each.suspension_id === act.id);
    const suspension = {
      act,
      from,
      to: toDay(act.to ?? act.on),
      endedOn: end === undefined ? undefined : toDay(end.on),
    };
    if (loan.held && (loan.confirmedOn === undefined || from < loan.confirmedOn)) continue;
    if (!effective.some((other) => overlaps(other, suspension))) effective.push(suspension);
  }
  return effective;
}

function lastCovered(suspension: Suspension): Day {
  return suspension.endedOn === undefined ? suspension.to : suspension.endedOn - 1;
}

export function overlaps(a: Suspension, b: Suspension): boolean {
  return a.from <= lastCovered(b) && b.from <= lastCovered(a);
}

function applyReceipt(folded: FoldResult, receipt: ReceiptFact): Allocation {
  const allocation = allocate(folded.loans, receipt);
  folded.allocations.set(receipt.reference, allocation);
  for (const onLoan of allocation.loans) {
    if (onLoan.loan.writeOff === undefined) continue;
    onLoan.loan.writeOff.recovered += onLoan.earlyPrincipal;
    for (const lines of onLoan.lines.values()) onLoan.loan.writeOff.recovered += total(lines);
  }
  return allocation;
}

function applyActStep(
  folded: FoldResult,
  byId: Map<string, Loan>,
  act: ActFact,
  market: Market,
  candidate?: string,
): void {
  const loan = byId.get(act.loan);
  if (loan === undefined || loan.endedAs !== undefined || act.kind === 'confirm') return;
  const code = stateRefusal(loan, act, candidate) ?? applyAct(loan, act, market, act.id === candidate);
  if (code === undefined) return;
  folded.failed.set(act.id, code);
  loan.bounded.push({ act, kind: code });
}

const AFTER_WRITE_OFF: ReadonlySet<ActFact['kind']> = new Set(['cession', 'waiver', 'settlement']);

/** An act has no effect on a Loan that by then is not confirmed, or is undone, ceded, written off or discharged. */
function stateRefusal(loan: Loan, act: ActFact, candidate?: string): string | undefined {
  const on = toDay(act.on);
  if (loan.undone !== undefined) return withoutEffect(loan, act, 'loan_undone');
  if (!isInForce(loan, on)) return withoutEffect(loan, act, 'loan_held');
  if (loan.ceded !== undefined)
    return withoutEffect(loan, act, act.kind === 'cession' ? 'already_ceded' : 'cession_in_force');
  if (loan.writeOff !== undefined && !AFTER_WRITE_OFF.has(act.kind))
    return withoutEffect(loan, act, 'already_written_off');
  const admitsDischarged = act.kind === 'return' || act.kind === 'rescind' || act.kind === 'withdraw';
  const afterWriteOff = loan.writeOff !== undefined && (act.kind === 'cession' || act.id === candidate);
  if (loan.discharged !== undefined && !admitsDischarged && !afterWriteOff)
    return withoutEffect(loan, act, 'loan_closed');
  if (act.kind === 'suspension' && !loan.suspensions.some((suspension) => suspension.act === act))
    return 'already_suspended';
  return undefined;
}

function withoutEffect(loan: Loan, act: ActFact, code: string): string {
  loan.suspensions = loan.suspensions.filter((suspension) => suspension.act !== act);
  return code;
}
