/** The fold: the state of a Client's book after one more step. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { accrueTo } from '#libs/ledger/charges/accrue-to.ts';
import { debtTotal, quotedPayoff } from '#libs/ledger/charges/debt.ts';
import type { ReceiptFact } from '#libs/ledger/facts.ts';
import { applyAmendment, foldAct } from '#libs/ledger/fold-act.ts';
import { isInForce, type Loan } from '#libs/ledger/loan.ts';
import { loanAtIssuance } from '#libs/ledger/loan-at-issuance.ts';
import { type AllocationResult, allocateReceipt } from '#libs/ledger/receipts/allocate-receipt.ts';
import type { ActStep, FoldStep, IssuanceStep } from '#libs/ledger/steps.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** Money that no Loan took. A linked list, newest first, so that adding to it costs the same at any length. */
export type UnallocatedMoney = {
  readonly receipt: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Set if the money was left over after a settlement at a reduced amount. */
  readonly settlement?: string;
  readonly before: UnallocatedMoney | undefined;
};

export type BookState = {
  /** By order of recording; undefined where the Loan's anchor has not come yet. */
  readonly loans: readonly (Loan | undefined)[];
  /** The Loans that may still receive money. Few of a long book, so that a Receipt need not check all of them. */
  readonly open: readonly number[];
  readonly owedBack: UnallocatedMoney | undefined;
};

export const EMPTY_STATE: BookState = bookState([], undefined);

export function bookState(loans: BookState['loans'], owedBack: UnallocatedMoney | undefined): BookState {
  const open: number[] = [];
  loans.forEach((loan, order) => {
    if (mayReceiveMoney(loan)) open.push(order);
  });
  return { loans, open, owedBack };
}

/** False only for final states. A held Loan may still be confirmed. */
function mayReceiveMoney(loan: Loan | undefined): boolean {
  if (loan === undefined || loan.voided || loan.cancelled) return false;
  return loan.undone === undefined && loan.discharged === undefined && loan.cession === undefined;
}

export type StepOutcome =
  | { readonly type: 'issuance' }
  | { readonly type: 'act'; readonly failed?: Refusal }
  | { readonly type: 'receipt'; readonly allocation: AllocationResult; readonly quotedLoanOwed?: bigint };

export type StepResult = { readonly state: BookState; readonly outcome: StepOutcome };

export function foldStep(state: BookState, step: FoldStep, calendars: Calendars): StepResult {
  switch (step.type) {
    case 'issuance':
      return foldIssuance(state, step, calendars);
    case 'act':
      return foldActStep(state, step, calendars);
    case 'receipt':
      return foldReceipt(state, step.receipt);
  }
}

function foldIssuance(state: BookState, step: IssuanceStep, calendars: Calendars): StepResult {
  const issued = loanAtIssuance(step.issuance, step.order);
  const loan = applyAmendment(issued, step.amendment, { calendars, seq: step.seq });
  return { state: withLoans(state, [loan]), outcome: { type: 'issuance' } };
}

function foldActStep(state: BookState, { act, amendment, seq }: ActStep, calendars: Calendars): StepResult {
  const loan = state.loans[act.loan];
  if (loan === undefined) throw new Error(`the act ${act.event} is dated before the anchor of its Loan`);
  const context = { calendars, seq };
  const { loan: after, failed } = foldAct(loan, act, context);
  return {
    state: withLoans(state, [applyAmendment(after, amendment, context)]),
    outcome: failed === undefined ? { type: 'act' } : { type: 'act', failed },
  };
}

function foldReceipt(state: BookState, receipt: ReceiptFact): StepResult {
  const { reference, valueDate: on, amount, designated, payoffIntent, currency } = receipt;
  const open: Loan[] = [];
  for (const order of state.open) {
    const loan = state.loans[order];
    if (isReachedBy(receipt, loan)) open.push(accrueTo(loan, on));
  }
  const money = { receipt: reference, on, amount, payoffIntent };
  const { loans, allocation } = allocateReceipt(designated === undefined ? money : { ...money, designated }, open);
  const unchanged = open.filter((loan) => !loans.some(({ order }) => order === loan.order));
  const { surplus, excess } = allocation;
  let { owedBack } = state;
  if (surplus > 0n) owedBack = { receipt: reference, currency, amount: surplus, before: owedBack };
  if (excess !== undefined) owedBack = { receipt: reference, currency, ...excess, before: owedBack };
  const after = withLoans({ ...state, owedBack }, [...unchanged, ...loans]);
  const quotedLoanOwed = receipt.quote === undefined ? undefined : payoffBefore(state.loans[receipt.quote.loan], on);
  const outcome = { type: 'receipt' as const, allocation };
  return { state: after, outcome: quotedLoanOwed === undefined ? outcome : { ...outcome, quotedLoanOwed } };
}

function isReachedBy({ currency, designated }: ReceiptFact, loan: Loan | undefined): loan is Loan {
  if (loan === undefined || !isInForce(loan) || loan.cession !== undefined) return false;
  return loan.terms.currency === currency && (designated === undefined || loan.order === designated);
}

/** What discharging the Loan took just before the Receipt: the debt, or what was left of a running settlement. */
function payoffBefore(loan: Loan | undefined, on: CivilDay): bigint {
  if (loan === undefined || !isInForce(loan) || loan.cession !== undefined) return 0n;
  return debtTotal(quotedPayoff(accrueTo(loan, on), on));
}

function withLoans(state: BookState, changed: readonly Loan[]): BookState {
  const loans = state.loans.slice();
  let { open } = state;
  for (const loan of changed) {
    if (mayReceiveMoney(loan) !== mayReceiveMoney(loans[loan.order])) open = toggle(open, loan.order);
    loans[loan.order] = loan;
  }
  return { ...state, loans, open };
}

/** A sorted list with the member added, or without it. Most often it is the newest Loan. */
function toggle(list: readonly number[], member: number): readonly number[] {
  const at = list.findLastIndex((each) => each < member) + 1;
  return list[at] === member ? list.toSpliced(at, 1) : list.toSpliced(at, 0, member);
}
