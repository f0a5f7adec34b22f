import { applyAct } from './acts.ts';
import { type Allocation, allocate } from './allocate.ts';
import { type Day, type Market, toDay } from './days.ts';
import type { ActFact, BookInput, Configuration, Fact, ReceiptFact } from './input.ts';
import { issue } from './issue.ts';
import { type Loan, type Suspension, stands, total } from './loan.ts';
import { openDay } from './opening.ts';
import { frameOf } from './terms.ts';

export type Law = Pick<BookInput, 'market' | 'configurations'>;

export interface Step {
  on: Day;
  rank: number;
  fact: ActFact | ReceiptFact;
}

/** Told of everything a fold does, in order: the statement is made of it. */
export interface Observer {
  begins(loans: Loan[]): void;
  opened(on: Day): void;
  stepped(on: Day, fact: ActFact | ReceiptFact, allocation: Allocation | undefined): void;
  closed(on: Day): void;
}

export interface Folded {
  loans: Loan[];
  allocations: Map<string, Allocation>;
  /** Of acts whose own rule failed where they stand: the code. */
  failed: Map<string, string>;
  to: Day;
}

/** A confirmation comes first on its day, since the Loan stands from it. */
const RANK: Partial<Record<ActFact['kind'], number>> = { confirm: -1, rollover: 2, cession: 3 };

/** Acts that shorten or remove a fact, or hold for a Loan whatever the day: no steps of their own. */
const NO_STEP: ReadonlySet<ActFact['kind']> = new Set(['retraction', 'suspension-end', 'cancel', 'void']);

/** fold.md 3: every fact in force dated by `to`, folded from nothing, day by day. */
export function fold(law: Law, facts: Fact[], to: Day, observer?: Observer, candidate?: string): Folded {
  const standing = inForce(facts);
  const loans = standing
    .filter((fact) => fact.type === 'issuance')
    .map((fact, order) => {
      const loan = issue(
        fact,
        frameOf(law.configurations[fact.configuration] as Configuration, law.market),
        law.market,
        order,
      );
      if (loan === undefined) throw new Error(`the calendar ends before the plan of ${fact.id}`);
      return prepare(loan, standing, to);
    });
  const byId = new Map(loans.map((loan) => [loan.fact.id, loan]));
  const folded: Folded = { loans, allocations: new Map(), failed: new Map(), to };
  observer?.begins(loans);
  const steps = stepsOf(standing, to);
  let next = 0;
  for (let day = firstDay(loans, steps); day <= to; day += 1) {
    for (const loan of loans) openDay(loan, day);
    observer?.opened(day);
    for (; next < steps.length && (steps[next] as Step).on === day; next += 1) {
      const { fact } = steps[next] as Step;
      const allocation = fact.type === 'receipt' ? takeReceipt(folded, fact) : undefined;
      if (fact.type === 'act') takeAct(folded, byId, fact, law.market, candidate);
      observer?.stepped(day, fact, allocation);
    }
    observer?.closed(day);
  }
  return folded;
}

/** The facts that are not reversed, retracted, or themselves a reversal or retraction. */
export function inForce(facts: Fact[]): Fact[] {
  const gone = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'reversal') gone.add(`receipt ${fact.receipt}`);
    if (fact.type === 'act' && fact.kind === 'retraction') gone.add(`act ${fact.event_id}`);
  }
  return facts.filter((fact) => {
    if (fact.type === 'reversal') return false;
    if (fact.type === 'receipt') return !gone.has(`receipt ${fact.reference}`);
    if (fact.type === 'act') return fact.kind !== 'retraction' && !gone.has(`act ${fact.id}`);
    return true;
  });
}

/** The last day of any fact in force, or the last anchor: the day undated answers are about. */
export function lastDay(facts: Fact[]): Day {
  let last = 0;
  for (const fact of inForce(facts)) {
    if (fact.type === 'issuance') last = Math.max(last, toDay(fact.anchor));
    if (fact.type === 'receipt') last = Math.max(last, toDay(fact.value_date));
    if (fact.type === 'act') last = Math.max(last, toDay(fact.on));
  }
  return last;
}

function stepsOf(standing: Fact[], to: Day): Step[] {
  const steps: Step[] = [];
  for (const fact of standing) {
    if (fact.type === 'receipt') steps.push({ on: toDay(fact.value_date), rank: 1, fact });
    if (fact.type === 'act' && !NO_STEP.has(fact.kind)) {
      steps.push({ on: toDay(fact.on), rank: RANK[fact.kind] ?? 0, fact });
    }
  }
  return steps.filter(({ on }) => on <= to).sort((a, b) => a.on - b.on || a.rank - b.rank);
}

function firstDay(loans: Loan[], steps: Step[]): Day {
  const days = [...loans.map((loan) => loan.anchor), ...steps.slice(0, 1).map(({ on }) => on)];
  return Math.min(...days, Number.MAX_SAFE_INTEGER);
}

function prepare(loan: Loan, standing: Fact[], to: Day): Loan {
  const acts = standing.filter((fact) => fact.type === 'act').filter((act) => act.loan === loan.fact.id);
  const confirm = acts.find((act) => act.kind === 'confirm');
  if (confirm !== undefined) loan.confirmedOn = toDay(confirm.on);
  if (acts.some((act) => act.kind === 'void')) loan.gone = 'voided';
  else if (acts.some((act) => act.kind === 'cancel')) loan.gone = 'cancelled';
  loan.suspensions = suspensionsOf(loan, acts, to);
  return loan;
}

/** Suspensions dated by `to`, in fold order, without those that overlap one before them. An early end counts whatever its day. */
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

function takeReceipt(folded: Folded, receipt: ReceiptFact): Allocation {
  const allocation = allocate(folded.loans, receipt);
  folded.allocations.set(receipt.reference, allocation);
  for (const share of allocation.shares) {
    if (share.loan.writeOff === undefined) continue;
    share.loan.writeOff.recovered += share.early;
    for (const lines of share.lines.values()) share.loan.writeOff.recovered += total(lines);
  }
  return allocation;
}

function takeAct(folded: Folded, byId: Map<string, Loan>, act: ActFact, market: Market, candidate?: string): void {
  const loan = byId.get(act.loan);
  if (loan === undefined || loan.gone !== undefined || act.kind === 'confirm') return;
  const code = stateRefusal(loan, act, candidate) ?? applyAct(loan, act, market, act.id === candidate);
  if (code === undefined) return;
  folded.failed.set(act.id, code);
  loan.bounded.push({ act, kind: code });
}

const AFTER_WRITE_OFF: ReadonlySet<ActFact['kind']> = new Set(['cession', 'waiver', 'settlement']);

/** An act that stands where its Loan is by then not confirmed, undone, ceded, written off or discharged has no effect. */
function stateRefusal(loan: Loan, act: ActFact, candidate?: string): string | undefined {
  const on = toDay(act.on);
  if (loan.undone !== undefined) return without(loan, act, 'loan_undone');
  if (!stands(loan, on)) return without(loan, act, 'loan_held');
  if (loan.ceded !== undefined)
    return without(loan, act, act.kind === 'cession' ? 'already_ceded' : 'cession_in_force');
  if (loan.writeOff !== undefined && !AFTER_WRITE_OFF.has(act.kind)) return without(loan, act, 'already_written_off');
  const admitsDischarged = act.kind === 'return' || act.kind === 'rescind' || act.kind === 'withdraw';
  const afterWriteOff = loan.writeOff !== undefined && (act.kind === 'cession' || act.id === candidate);
  if (loan.discharged !== undefined && !admitsDischarged && !afterWriteOff) return without(loan, act, 'loan_closed');
  if (act.kind === 'suspension' && !loan.suspensions.some((suspension) => suspension.act === act))
    return 'already_suspended';
  return undefined;
}

function without(loan: Loan, act: ActFact, code: string): string {
  loan.suspensions = loan.suspensions.filter((suspension) => suspension.act !== act);
  return code;
}
