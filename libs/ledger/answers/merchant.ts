import { type Money, money } from '#libs/ledger/answers/figures.ts';
import { type Holder, type ListingRow, listingRow } from '#libs/ledger/answers/listing-row.ts';
import { asks, type BookOnDay, hasBegun } from '#libs/ledger/answers/moment.ts';
import { overdueDebt } from '#libs/ledger/answers/payment-options.ts';
import { totalOf, unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import type { Loan } from '#libs/ledger/loan.ts';

export type MerchantRow = ListingRow & { readonly outstanding: Money };

/** One Loan in a merchant's book, and what it adds to the totals of its currency. */
export type MerchantLoan = {
  readonly row: MerchantRow;
  readonly currency: string;
  readonly sold: bigint;
  readonly returned: bigint;
  readonly outstanding: bigint;
  readonly overdue: bigint;
};

/** `outstanding` is the principal still unpaid on the day. */
export function merchantLoan(moment: BookOnDay, order: number, holder: Holder): MerchantLoan {
  const loan = moment.loans[order] as Loan;
  const { currency, principal } = loan.terms;
  const asking = asks(loan, moment.on) && hasBegun(loan, moment.on);
  const outstanding = asking ? unpaidPrincipal(loan) : 0n;
  return {
    row: { ...listingRow(moment.book, order, holder), outstanding: money(outstanding, currency) },
    currency,
    sold: principal,
    returned: loan.returns.reduce((sum, { amount }) => sum + amount, 0n),
    outstanding,
    overdue: asking ? totalOf(overdueDebt(loan, moment.on)) : 0n,
  };
}

/** Of the Loans listed, by currency. */
export function merchantTotals(loans: readonly MerchantLoan[]) {
  return [...new Set(loans.map(({ currency }) => currency))].sort().map((currency) => {
    const own = loans.filter((loan) => loan.currency === currency);
    const sum = (figure: 'sold' | 'returned' | 'outstanding' | 'overdue') =>
      money(
        own.reduce((total, loan) => total + loan[figure], 0n),
        currency,
      );
    return {
      currency,
      loans: own.length,
      sold: sum('sold'),
      returned: sum('returned'),
      outstanding: sum('outstanding'),
      overdue: sum('overdue'),
    };
  });
}
