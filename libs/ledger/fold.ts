import { addDays, type CivilDay } from '#libs/calendar/civil-day.ts';
import type { ActRules, Surroundings } from '#libs/ledger/act.ts';
import { ACTS } from '#libs/ledger/acts.ts';
import { beginLoan } from '#libs/ledger/begin.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { openDay } from '#libs/ledger/charges/accrue-to.ts';
import { quoted, totalOf } from '#libs/ledger/charges/debt.ts';
import { noteSettled } from '#libs/ledger/charges/settled.ts';
import type { ReceiptFact } from '#libs/ledger/facts.ts';
import { type Loan, stands } from '#libs/ledger/loan.ts';
import { type Placed, place } from '#libs/ledger/receipts/allocate-receipt.ts';
import type { Step, SteppingAct, SteppingKind } from '#libs/ledger/steps.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** Money that no Loan took: newest first, so that one more costs the same however much there is. */
export type OwedBack = {
  readonly receipt: string;
  readonly currency: string;
  readonly amount: bigint;
  /** The settlement for less whose excess it is; absent on surplus. */
  readonly settlement?: string;
  readonly before: OwedBack | undefined;
};

/** A Client's book folded up to and with some step. */
export type State = {
  /** By order of recording; undefined where the Loan has not begun yet. */
  readonly loans: readonly (Loan | undefined)[];
  /** Which of them take money, or may yet. Of a long book nearly all are over, and money need not look at those. */
  readonly open: readonly number[];
  readonly owedBack: OwedBack | undefined;
};

export const EMPTY: State = stateWith([], undefined);

export function stateWith(loans: State['loans'], owedBack: OwedBack | undefined): State {
  const open: number[] = [];
  loans.forEach((loan, order) => {
    if (mayTakeMoney(loan)) open.push(order);
  });
  return { loans, open, owedBack };
}

/** What is over stays over: a held Loan may still be confirmed, none of these comes back. */
function mayTakeMoney(loan: Loan | undefined): boolean {
  if (loan === undefined || loan.voided || loan.cancelled) return false;
  return loan.undone === undefined && loan.discharged === undefined && loan.cession === undefined;
}

/** What a step came to beside the state after it. */
export type StepOutcome =
  | { readonly type: 'issuance' }
  | { readonly type: 'act'; readonly failed?: Refusal }
  | { readonly type: 'receipt'; readonly placed: Placed; readonly quotedLoanOwed?: bigint };

export type Folded = { readonly state: State; readonly outcome: StepOutcome };

export function foldStep(state: State, step: Step, calendars: Calendars): Folded {
  switch (step.type) {
    case 'issuance': {
      const loan = beginLoan(step.issuance, step.order);
      const begun = step.cancelled === undefined ? loan : { ...loan, cancelled: true };
      return { state: withLoans(state, [begun]), outcome: { type: 'issuance' } };
    }
    case 'act': {
      const loan = state.loans[step.act.loan];
      if (loan === undefined) throw new Error('an act is dated on or after the anchor of its Loan');
      const around = { calendars, seq: step.seq };
      const { loan: after, failed } = foldAct(loan, step.act, around);
      const ended = step.endedOn === undefined ? after : endedEarly(after, step.act.event, step.endedOn);
      return {
        state: withLoans(state, [ended]),
        outcome: failed === undefined ? { type: 'act' } : { type: 'act', failed },
      };
    }
    case 'receipt':
      return foldReceipt(state, step.receipt);
  }
}

function withLoans(state: State, changed: readonly Loan[]): State {
  const loans = state.loans.slice();
  let sameOpen = true;
  for (const loan of changed) {
    if (mayTakeMoney(loan) !== mayTakeMoney(loans[loan.order])) sameOpen = false;
    loans[loan.order] = loan;
  }
  return sameOpen ? { ...state, loans } : stateWith(loans, state.owedBack);
}

/** Opens the day, asks the act's rule, and applies the act or the part of it that still fits. */
function foldAct(
  loan: Loan,
  act: SteppingAct,
  around: Surroundings,
): { readonly loan: Loan; readonly failed?: Refusal } {
  // Acts on a cancelled or voided Loan have no effect, and that is nothing to report.
  if (loan.cancelled || loan.voided) return { loan };
  // A suspension covers its own day, so that day is opened with it in place.
  const opened = openDay(loan, act.kind === 'suspended' ? addDays(act.on, -1) : act.on);
  const rules = ACTS[act.kind] as ActRules<SteppingKind>;
  const barred = outOfPlace(opened, act.kind);
  if (barred !== undefined) {
    // A written-off Loan admits some acts even when nothing is left of it: a candidate fails by its own rule then.
    const own = barred.code === 'loan_closed' && opened.writeOff !== undefined;
    const failed = own ? rules.rule(opened, act as never, around) : undefined;
    return { loan: bounded(opened, act, barred), failed: failed ?? barred };
  }
  const applied = rules.rule(opened, act as never, around) ?? rules.apply(opened, act as never, around);
  const failed = isRefusal(applied) ? applied : undefined;
  const changed = isRefusal(applied) ? rules.part?.(opened, act as never, around) : applied;
  const after = changed === undefined ? opened : noteSettled(changed, act.on);
  const settled = withoutLaterSuspension(after, act, around);
  return failed === undefined ? { loan: settled } : { loan: bounded(settled, act, failed), failed };
}

/** A suspension is known as its day opens; one recorded after an act of that day that ends the Loan is too late after all. */
function withoutLaterSuspension(loan: Loan, act: SteppingAct, { seq }: Surroundings): Loan {
  if (stands(loan)) return loan;
  const late = loan.suspensions.filter((each) => each.from === act.on && each.seq > seq);
  const refusal = outOfPlace(loan, 'suspended');
  if (late.length === 0 || refusal === undefined) return loan;
  const bounds = late.map(({ event }) => ({ kind: refusal.code, event }));
  return {
    ...loan,
    suspensions: loan.suspensions.filter((each) => !late.includes(each)),
    bounded: [...loan.bounded, ...bounds],
  };
}

const ON_A_HELD_LOAN: readonly SteppingKind[] = ['confirmed', 'voided'];
const ON_A_WRITTEN_OFF_LOAN: readonly SteppingKind[] = ['waived', 'settled_for_less', 'ceded'];
const ON_A_DISCHARGED_LOAN: readonly SteppingKind[] = ['returned', 'rescinded', 'withdrawn'];

/** What the Loan has become by the act's day leaves the act no effect. */
function outOfPlace(loan: Loan, kind: SteppingKind): Refusal | undefined {
  if (loan.held) return ON_A_HELD_LOAN.includes(kind) ? undefined : refuse('loan_held');
  if (loan.undone !== undefined) return refuse('loan_undone');
  if (loan.cession !== undefined) return refuse('cession_in_force');
  if (loan.writeOff !== undefined && !ON_A_WRITTEN_OFF_LOAN.includes(kind)) return refuse('already_written_off');
  if (loan.discharged === undefined || ON_A_DISCHARGED_LOAN.includes(kind)) return undefined;
  // What was written off can be ceded, recovered or not.
  return loan.writeOff !== undefined && kind === 'ceded' ? undefined : refuse('loan_closed');
}

function bounded(loan: Loan, act: SteppingAct, refusal: Refusal): Loan {
  return { ...loan, bounded: [...loan.bounded, { kind: refusal.code, event: act.event }] };
}

function endedEarly(loan: Loan, event: string, endedOn: CivilDay): Loan {
  return {
    ...loan,
    suspensions: loan.suspensions.map((each) => (each.event === event ? { ...each, endedOn } : each)),
  };
}

/** Whether the Receipt reaches the Loan: it stands, is not the assignee's yet, and is not passed over. */
function isReached(loan: Loan | undefined, { currency, designated }: ReceiptFact): loan is Loan {
  if (loan === undefined || !stands(loan) || loan.cession !== undefined) return false;
  return loan.terms.currency === currency && (designated === undefined || loan.order === designated);
}

function foldReceipt(state: State, receipt: ReceiptFact): Folded {
  const { reference, valueDate: on, amount, designated, payoffIntent, currency } = receipt;
  const open: Loan[] = [];
  for (const order of state.open) {
    const loan = state.loans[order];
    if (isReached(loan, receipt)) open.push(openDay(loan, on));
  }
  const money = { receipt: reference, on, amount, payoffIntent };
  const { loans, placed } = place(designated === undefined ? money : { ...money, designated }, open);
  const untouched = open.filter((loan) => !loans.some(({ order }) => order === loan.order));
  let { owedBack } = state;
  if (placed.surplus > 0n) owedBack = { receipt: reference, currency, amount: placed.surplus, before: owedBack };
  if (placed.excess !== undefined) owedBack = { receipt: reference, currency, ...placed.excess, before: owedBack };
  const after = withLoans({ ...state, owedBack }, [...untouched, ...loans]);
  const owed = receipt.quote === undefined ? undefined : payoffAsMet(state.loans[receipt.quote.loan], on);
  const outcome = { type: 'receipt' as const, placed };
  return { state: after, outcome: owed === undefined ? outcome : { ...outcome, quotedLoanOwed: owed } };
}

/** What discharging the Loan took on the day as the Receipt met it: of a running settlement, what was left of it. */
function payoffAsMet(loan: Loan | undefined, on: CivilDay): bigint {
  if (loan === undefined || !stands(loan) || loan.cession !== undefined) return 0n;
  return totalOf(quoted(openDay(loan, on), on));
}
