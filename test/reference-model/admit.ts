/** Admission: whether a fact may be recorded in a book. */
import { issuanceRefusal } from './check-issuance.ts';
import { type Day, toDay } from './days.ts';
import { disclosureFigure } from './disclosure.ts';
import { type BookContext, type FoldResult, fold, inForce, lastDay, overlaps } from './fold.ts';
import type { ActFact, Fact, FactOutcome, ReceiptFact, ReversalFact } from './input.ts';
import type { Loan } from './loan.ts';
import { refusalByState, type State, stateOf } from './loan-state.ts';
import { LARGEST } from './numbers.ts';

/** The facts admitted so far, with what later answers need of the moment of recording. */
export interface Book {
  context: BookContext;
  facts: Fact[];
  /** By reversal: the Loans on which its Receipt had settled something just before. */
  settledLoans: Map<string, string[]>;
  figures: Map<string, string>;
  latest: FoldResult | undefined;
}

const STATUS: Record<string, number> = {
  no_configuration: 404,
  not_found: 404,
  no_receipt: 404,
};

const UNPROCESSABLE: ReadonlySet<string> = new Set([
  'amount_out_of_range',
  'invalid_field',
  'currency_mismatch',
  'principal_outside_range',
  'missing_field',
  'term_not_offered',
  'schedule_not_offered',
  'rate_outside_corridor',
  'penalty_rate_outside_corridor',
  'down_payment_outside_range',
  'beyond_horizon',
  'hold_outside_range',
  'plan_not_amortising',
  'figure_out_of_range',
  'payoff_needs_designation',
  'unknown_loan',
  'invalid_event',
  'charge_not_waivable',
  'return_not_provided',
  'rollover_not_provided',
  'withdrawal_not_provided',
  'settlement_not_less',
  'not_retractable',
]);

export function foldAll(book: Book): FoldResult {
  book.latest ??= fold(book.context, book.facts, lastDay(book.facts));
  return book.latest;
}

export function recordFact(book: Book, fact: Fact): FactOutcome {
  const code = refusalOf(book, fact);
  if (code !== undefined) {
    return { admitted: false, code, status: STATUS[code] ?? (UNPROCESSABLE.has(code) ? 422 : 409), details: {} };
  }
  if (fact.type === 'reversal') book.settledLoans.set(fact.reference, settledBy(foldAll(book), fact.receipt));
  if (fact.type === 'issuance') book.figures.set(fact.id, disclosureFigure(book.context, fact) as string);
  book.facts = [...book.facts, fact];
  book.latest = undefined;
  return { admitted: true };
}

function refusalOf(book: Book, fact: Fact): string | undefined {
  switch (fact.type) {
    case 'issuance':
      return issuanceRefusal(book.context, fact);
    case 'receipt':
      return receiptRefusal(book, fact);
    case 'reversal':
      return reversalRefusal(book, fact);
    case 'act':
      return actRefusal(book, fact);
  }
}

export function isPositiveInteger(amount: number | undefined): boolean {
  return amount !== undefined && Number.isInteger(amount) && amount > 0;
}

/** The refusal of an amount that is not a positive whole number or is too large. */
export function amountRefusal(amount: number | undefined): string | undefined {
  if (!isPositiveInteger(amount)) return 'invalid_field';
  return BigInt(amount ?? 0) > LARGEST ? 'amount_out_of_range' : undefined;
}

function settledBy(folded: FoldResult, reference: string): string[] {
  return (folded.allocations.get(reference)?.loans ?? []).map((onLoan) => onLoan.loan.fact.id);
}

function receiptRefusal(book: Book, fact: ReceiptFact): string | undefined {
  const form = amountRefusal(fact.amount);
  if (form !== undefined) return form;
  if (fact.payoff_intent === true && fact.designated_loan_id === undefined) return 'payoff_needs_designation';
  if (fact.designated_loan_id === undefined) return undefined;
  const loan = foldAll(book).loans.find((each) => each.fact.id === fact.designated_loan_id);
  if (loan === undefined) return 'unknown_loan';
  if (loan.currency !== (fact.currency ?? 'MXN')) return 'currency_mismatch';
  if (stateOf(loan) === 'held') return 'loan_held';
  if (stateOf(loan) === 'ceded' && toDay(fact.value_date) > (loan.ceded?.on ?? 0)) return 'cession_in_force';
  return undefined;
}

function reversalRefusal(book: Book, fact: ReversalFact): string | undefined {
  const receipt = book.facts.find((each) => each.type === 'receipt' && each.reference === fact.receipt);
  if (receipt === undefined) return 'no_receipt';
  return book.facts.some((each) => each.type === 'reversal' && each.receipt === fact.receipt)
    ? 'already_reversed'
    : undefined;
}

function actRefusal(book: Book, act: ActFact): string | undefined {
  const form = formRefusal(act);
  if (form !== undefined) return form;
  const loan = foldAll(book).loans.find((each) => each.fact.id === act.loan);
  if (loan === undefined) return 'not_found';
  const state = stateOf(loan);
  if (act.kind === 'retraction') return retractionRefusal(book, loan, state, act);
  const byState = refusalByState(state, act.kind);
  if (byState !== undefined) return byState;
  if (toDay(act.on) < loan.anchor) return 'invalid_event';
  return ownRefusal(book, loan, act);
}

function formRefusal(act: ActFact): string | undefined {
  if (act.kind === 'waiver' || act.kind === 'return') return amountRefusal(act.amount);
  if (act.kind === 'settlement') return amountRefusal(act.agreed);
  if (act.kind === 'restructure' && !isPositiveInteger(act.term_periods)) return 'invalid_field';
  return undefined;
}

/** The act's own rule, in the order of section 7. */
function ownRefusal(book: Book, loan: Loan, act: ActFact): string | undefined {
  const on = toDay(act.on);
  if (act.kind === 'confirm') return on > toDay(loan.fact.hold_until ?? act.on) ? 'hold_expired' : undefined;
  if (act.kind === 'void') return undefined;
  if (loan.confirmedOn !== undefined && on < loan.confirmedOn) return 'loan_held';
  switch (act.kind) {
    case 'cancel':
      return wasPaid(book, loan) ? 'loan_has_receipts' : undefined;
    case 'rescind':
      return undefined;
    case 'withdraw':
      if (loan.product.withdrawalDays === 0) return 'withdrawal_not_provided';
      return on > loan.anchor + loan.product.withdrawalDays ? 'withdrawal_window_closed' : undefined;
    case 'suspension':
      return suspensionRefusal(loan, act);
    case 'suspension-end':
      return endRefusal(book, loan, act);
    case 'write-off':
    case 'cession':
      if (lastFactOn(book, loan) >= on) return 'invalid_event';
      break;
    case 'rollover':
      if (loan.product.archetype === 'payday' && loan.rollovers.length >= loan.product.maxRollovers)
        return 'rollovers_exhausted';
  }
  return fold(book.context, [...book.facts, act], on, undefined, act.id).failed.get(act.id);
}

function wasPaid(book: Book, loan: Loan): boolean {
  return [...foldAll(book).allocations.values()].some(({ loans }) => loans.some((onLoan) => onLoan.loan === loan));
}

function suspensionRefusal(loan: Loan, act: ActFact): string | undefined {
  const from = toDay(act.on);
  const to = toDay(act.to ?? act.on);
  if (to < from) return 'invalid_event';
  const candidate = { act, from, to, endedOn: undefined };
  return loan.suspensions.some((suspension) => overlaps(suspension, candidate)) ? 'already_suspended' : undefined;
}

function endRefusal(book: Book, loan: Loan, act: ActFact): string | undefined {
  const acts = inForce(book.facts).filter((fact) => fact.type === 'act');
  const named = acts.find(
    (each) => each.kind === 'suspension' && each.id === act.suspension_id && each.loan === loan.fact.id,
  );
  if (named === undefined) return 'invalid_event';
  if (acts.some((each) => each.kind === 'suspension-end' && each.suspension_id === named.id)) return 'invalid_event';
  const on = toDay(act.on);
  return on > toDay(named.on) && on <= toDay(named.to ?? named.on) ? undefined : 'invalid_event';
}

/** The last day of an act in force on the Loan, or of a Receipt that settled something on it. */
function lastFactOn(book: Book, loan: Loan): Day {
  let last = Number.NEGATIVE_INFINITY;
  for (const fact of inForce(book.facts)) {
    if (fact.type === 'act' && fact.loan === loan.fact.id) last = Math.max(last, toDay(fact.on));
  }
  for (const { on, loans } of foldAll(book).allocations.values()) {
    if (loans.some((onLoan) => onLoan.loan === loan)) last = Math.max(last, on);
  }
  return last;
}

/** The acts that a retraction may withdraw in each state, and the refusal of others. */
const RETRACTABLE: Partial<Record<State, { kinds: ActFact['kind'][]; code: string }>> = {
  ceded: { kinds: ['cession'], code: 'cession_in_force' },
  held: { kinds: [], code: 'not_retractable' },
  voided: { kinds: ['void'], code: 'loan_voided' },
  cancelled: { kinds: ['cancel'], code: 'loan_cancelled' },
  rescinded: { kinds: ['rescind'], code: 'loan_undone' },
  withdrawn: { kinds: ['withdraw'], code: 'loan_undone' },
};

function retractionRefusal(book: Book, loan: Loan, state: State, act: ActFact): string | undefined {
  if (act.event_id === loan.fact.id) return 'not_retractable';
  const target = book.facts.find(
    (each) =>
      each.type === 'act' && each.id === act.event_id && each.loan === loan.fact.id && each.kind !== 'retraction',
  ) as ActFact | undefined;
  if (target === undefined) return 'not_found';
  const acts = book.facts.filter((fact) => fact.type === 'act');
  if (acts.some((each) => each.kind === 'retraction' && each.event_id === target.id)) return 'already_retracted';
  const only = RETRACTABLE[state];
  if (only !== undefined && !only.kinds.includes(target.kind)) return only.code;
  if (
    inForce(acts).some(
      (each) => each.type === 'act' && each.kind === 'suspension-end' && each.suspension_id === target.id,
    )
  ) {
    return 'fact_depended_on';
  }
  return toDay(act.on) < loan.anchor ? 'invalid_event' : undefined;
}
