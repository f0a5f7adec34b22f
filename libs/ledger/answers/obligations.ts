/** What the Tenancy owes back to a Client. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import type { UnallocatedMoney } from '#libs/ledger/fold.ts';
import type { Loan, Received } from '#libs/ledger/loan.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

type ReturnedLine = {
  readonly act: string;
  readonly loan_id: string;
  readonly on: string;
  readonly principal: MoneyJson;
  readonly interest: MoneyJson;
  readonly amount: MoneyJson;
};

type UndoneLine = {
  readonly kind: string;
  readonly on: string;
  readonly act: string;
  readonly loan_id: string;
  readonly receipt: string;
  readonly amount: MoneyJson;
};

export type Obligations = {
  readonly client_id: string;
  readonly amount: MoneyJson;
  readonly receipts: readonly string[];
  readonly returns?: readonly string[];
  readonly returned?: readonly ReturnedLine[];
  readonly rollovers?: readonly string[];
  readonly undone?: readonly UndoneLine[];
  readonly settlements?: readonly string[];
  /** Present where the Client is owed money in several currencies. */
  readonly currencies?: readonly { readonly currency: string; readonly amount: MoneyJson }[];
};

/** All lists are complete and oldest first. The caller pages `receipts`. */
export function obligations(book: FoldedFacts, clientId: string, homeCurrency: string): Obligations {
  const balances = new Map<string, bigint>();
  const owe = (currency: string, amount: bigint) => {
    if (amount > 0n) balances.set(currency, (balances.get(currency) ?? 0n) + amount);
  };
  const back = oldestFirst(book.head.owedBack);
  for (const { currency, amount } of back) owe(currency, amount);
  const surplus = back.filter(({ settlement }) => settlement === undefined);
  const excess = back.flatMap(({ settlement }) => (settlement === undefined ? [] : [settlement]));
  const loans = book.head.loans.filter((loan): loan is Loan => loan !== undefined);
  const standing = loans.filter((loan) => loan.undone === undefined);
  const returns = inFoldOrder(book, standing, ({ returns: all }) => all).filter(
    ({ entry }) => entry.principalOwedBack + entry.interestOwedBack > 0n,
  );
  const rollovers = inFoldOrder(book, standing, ({ rollovers: all }) => all).filter(({ entry }) => entry.owedBack > 0n);
  for (const { loan, entry } of returns) owe(loan.terms.currency, entry.principalOwedBack + entry.interestOwedBack);
  for (const { loan, entry } of rollovers) owe(loan.terms.currency, entry.owedBack);
  const undone = undoneLines(book, loans);
  for (const { loan, received } of undone) owe(loan.terms.currency, received.amount);
  const several = [...balances.keys()].sort();
  const first = several.length === 1 ? (several[0] as string) : firstCurrency(book, homeCurrency);
  return {
    client_id: clientId,
    amount: moneyFigure(balances.get(first) ?? 0n, first),
    receipts: surplus.map(({ receipt }) => receipt),
    ...withoutEmptyLists({
      returns: returns.map(({ entry }) => entry.reference),
      returned: returns.map(({ loan, entry }) => returnedLine(loan, entry)),
      rollovers: rollovers.map(({ entry }) => entry.reference),
      undone: undone.map(({ loan, received }) => undoneLine(loan, received)),
      settlements: settlementsInOrder(book, new Set(excess)),
    }),
    ...(several.length < 2
      ? {}
      : {
          currencies: several.map((currency) => ({
            currency,
            amount: moneyFigure(balances.get(currency) ?? 0n, currency),
          })),
        }),
  };
}

function withoutEmptyLists(lists: Pick<Obligations, 'returns' | 'returned' | 'rollovers' | 'undone' | 'settlements'>) {
  return Object.fromEntries(Object.entries(lists).filter(([, items]) => items.length > 0)) as typeof lists;
}

function oldestFirst(newest: UnallocatedMoney | undefined): readonly UnallocatedMoney[] {
  const found: UnallocatedMoney[] = [];
  for (let entry = newest; entry !== undefined; entry = entry.before) found.push(entry);
  return found.reverse();
}

function firstCurrency(book: FoldedFacts, home: string): string {
  for (const { fact } of book.log.entries(book.length)) {
    if (fact.type === 'issuance') return fact.terms.currency;
    if (fact.type === 'receipt') return fact.currency;
  }
  return home;
}

/** The settlements whose Receipts exceeded the agreed amount, in the order of the fold. */
function settlementsInOrder(book: FoldedFacts, named: ReadonlySet<string>): readonly string[] {
  const acts = book.loans.flatMap(({ acts: all }) => all.filter(({ fact }) => named.has(fact.reference)));
  return acts.sort((a, b) => a.fact.on - b.fact.on || a.seq - b.seq).map(({ fact }) => fact.reference);
}

type ActEntry = { readonly on: number; readonly event: string };

/** The entries that acts left on several Loans, in the order of the fold. */
function inFoldOrder<Entry extends ActEntry>(
  book: FoldedFacts,
  loans: readonly Loan[],
  of: (loan: Loan) => readonly Entry[],
) {
  return loans
    .flatMap((loan) => {
      const entries = of(loan);
      if (entries.length === 0) return [];
      const seqs = new Map(book.loans[loan.order]?.acts.map(({ fact, seq }) => [fact.event, seq]));
      return entries.map((entry) => ({ loan, entry, seq: seqs.get(entry.event) ?? 0 }));
    })
    .sort((a, b) => a.entry.on - b.entry.on || a.seq - b.seq);
}

function returnedLine(loan: Loan, entry: Loan['returns'][number]): ReturnedLine {
  const { currency } = loan.terms;
  return {
    act: entry.reference,
    loan_id: loan.id,
    on: formatDay(entry.on),
    principal: moneyFigure(entry.principalOwedBack, currency),
    interest: moneyFigure(entry.interestOwedBack, currency),
    amount: moneyFigure(entry.principalOwedBack + entry.interestOwedBack, currency),
  };
}

type UndoneReceipt = { readonly loan: Loan; readonly received: Received };

/** Each Receipt allocated to a Loan before the Loan was undone, in the order of the fold. */
function undoneLines(book: FoldedFacts, loans: readonly Loan[]): readonly UndoneReceipt[] {
  const found: UndoneReceipt[] = [];
  for (const loan of loans) {
    if (loan.undone === undefined) continue;
    for (let each = loan.received; each !== undefined; each = each.before) found.push({ loan, received: each });
  }
  const seqOf = ({ received }: UndoneReceipt) => book.log.receipt(book.length, received.receipt)?.seq ?? 0;
  return found.sort((a, b) => a.received.on - b.received.on || seqOf(a) - seqOf(b) || a.loan.order - b.loan.order);
}

function undoneLine(loan: Loan, received: Received): UndoneLine {
  const { undone } = loan;
  if (undone === undefined) throw new Error(`Loan ${loan.id} is not undone`);
  return {
    kind: undone.kind,
    on: formatDay(undone.on),
    act: undone.reference,
    loan_id: loan.id,
    receipt: received.receipt,
    amount: moneyFigure(received.amount, loan.terms.currency),
  };
}
