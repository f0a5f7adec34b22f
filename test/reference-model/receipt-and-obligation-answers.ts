/** Answers about money: Receipts and obligations. */
import type { Allocation, LoanAllocation } from './allocate.ts';
import { toDay, toText } from './days.ts';
import type { FoldResult } from './fold.ts';
import type { ActFact, Fact } from './input.ts';
import { addInto, type Loan, type PerCharge, type TaxedAmount, total } from './loan.ts';
import { owedAnswer, zeroLines } from './owed-figures.ts';

/** Everything a Receipt settled on a Loan, including early principal. */
export function settledBy(onLoan: LoanAllocation): PerCharge<TaxedAmount> {
  const sum = zeroLines();
  for (const lines of onLoan.lines.values()) addInto(sum, lines);
  sum.principal.amount += onLoan.earlyPrincipal;
  return sum;
}

export function receiptAnswer(reference: string, allocation: Allocation | undefined): Record<string, unknown> {
  if (allocation === undefined) return { reference, settled: 0, surplus: 0, loans: [], anomalies: [] };
  const anomalies = allocation.payoffShort
    ? [{ kind: 'payoff_short', facts: [{ type: 'receipt', id: reference }] }]
    : [];
  const answer: Record<string, unknown> = {
    reference,
    settled: allocation.loans.reduce((sum, onLoan) => sum + Number(total(settledBy(onLoan))), 0),
    surplus: Number(allocation.surplus),
    loans: allocation.loans.map(loanAllocationAnswer),
    anomalies,
  };
  if (allocation.excess > 0n) answer['excess'] = Number(allocation.excess);
  return answer;
}

function loanAllocationAnswer(onLoan: LoanAllocation): Record<string, unknown> {
  const periods = [...onLoan.lines.keys()].sort((a, b) => a.index - b.index);
  const answer: Record<string, unknown> = {
    loan_id: onLoan.loan.fact.id,
    settled: owedAnswer(settledBy(onLoan)),
    discharged: onLoan.discharged,
    lines: periods.flatMap((period) => {
      const lines = onLoan.lines.get(period) as PerCharge<TaxedAmount>;
      return owedAnswer(lines).charges.map((line) => ({ period: period.index, ...line }));
    }),
  };
  if (onLoan.earlyPrincipal > 0n) answer['early_principal'] = Number(onLoan.earlyPrincipal);
  return answer;
}

/** Section 9 of fold.md. */
export function obligationsAnswer(folded: FoldResult, facts: Fact[]): Record<string, unknown> {
  const balances = new Map<string, bigint>();
  const owe = (currency: string, amount: bigint) => balances.set(currency, (balances.get(currency) ?? 0n) + amount);
  const allocations = [...folded.allocations.values()];
  const receipts: string[] = [];
  for (const { receipt, surplus } of allocations) {
    if (surplus > 0n) receipts.push(receipt.reference);
    owe(receipt.currency ?? 'MXN', surplus);
  }
  const returned = returnedOf(folded, facts);
  for (const { loan, entry } of returned) owe(loan.currency, entry.principalOwedBack + entry.interestOwedBack);
  const rollovers = inFoldOrder(
    standingLoans(folded).flatMap((loan) => loan.rollovers.map((each) => ({ ...each, loan }))),
    facts,
  );
  for (const { loan, owedBack } of rollovers) owe(loan.currency, owedBack);
  const undone = undoneOf(folded, allocations);
  for (const { loan, amount } of undone) owe(loan.currency, amount);
  const settlements = inFoldOrder(
    folded.loans.flatMap((loan) => loan.settlements.map((each) => ({ act: each.act, excess: each.excess, loan }))),
    facts,
  );
  for (const { loan, excess } of settlements) owe(loan.currency, excess);
  return {
    ...balancesAnswer(balances, facts),
    receipts,
    returns: returned.map(({ entry }) => entry.act.reference),
    returned: returned.map(({ loan, entry }) => ({
      act: entry.act.reference,
      loan_id: loan.fact.id,
      on: entry.act.on,
      principal: Number(entry.principalOwedBack),
      interest: Number(entry.interestOwedBack),
      amount: Number(entry.principalOwedBack + entry.interestOwedBack),
    })),
    rollovers: rollovers.filter(({ owedBack }) => owedBack > 0n).map(({ act }) => act.reference),
    undone: undone.map(({ line }) => line),
    settlements: settlements.filter(({ excess }) => excess > 0n).map(({ act }) => act.reference),
  };
}

/** Undone Loans owe back only their `undone` lines. */
function standingLoans(folded: FoldResult): Loan[] {
  return folded.loans.filter((loan) => loan.undone === undefined);
}

/** Acts of several Loans in the order of section 3: by day, then by recording. */
function inFoldOrder<T extends { act: ActFact }>(entries: T[], facts: Fact[]): T[] {
  const place = new Map(facts.map((fact, at) => [fact, at]));
  const placeOf = ({ act }: T) => place.get(act) ?? 0;
  return entries.sort((a, b) => toDay(a.act.on) - toDay(b.act.on) || placeOf(a) - placeOf(b));
}

function returnedOf(folded: FoldResult, facts: Fact[]) {
  const entries = standingLoans(folded).flatMap((loan) =>
    loan.returns.map((entry) => ({ loan, entry, act: entry.act })),
  );
  return inFoldOrder(entries, facts).filter(({ entry }) => entry.principalOwedBack + entry.interestOwedBack > 0n);
}

function undoneOf(folded: FoldResult, allocations: Allocation[]) {
  return allocations.flatMap((allocation) =>
    allocation.loans
      .filter(({ loan }) => loan.undone !== undefined)
      .sort((a, b) => folded.loans.indexOf(a.loan) - folded.loans.indexOf(b.loan))
      .map((onLoan) => {
        const { loan } = onLoan;
        const amount = total(settledBy(onLoan));
        const line = {
          kind: loan.undone?.kind,
          on: toText(loan.undone?.on ?? folded.to),
          act: loan.undone?.act.reference,
          loan_id: loan.fact.id,
          receipt: allocation.receipt.reference,
          amount: Number(amount),
        };
        return { loan, amount, line };
      }),
  );
}

function balancesAnswer(balances: Map<string, bigint>, facts: Fact[]): Record<string, unknown> {
  const owed = [...balances].filter(([, amount]) => amount > 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  const first = firstCurrency(facts);
  const currency = owed.length === 1 ? (owed[0]?.[0] ?? first) : first;
  const answer: Record<string, unknown> = { currency, amount: Number(balances.get(currency) ?? 0n) };
  if (owed.length > 1)
    answer['currencies'] = owed.map(([code, amount]) => ({ currency: code, amount: Number(amount) }));
  return answer;
}

function firstCurrency(facts: Fact[]): string {
  for (const fact of facts) if (fact.type === 'issuance' || fact.type === 'receipt') return fact.currency ?? 'MXN';
  return 'MXN';
}
