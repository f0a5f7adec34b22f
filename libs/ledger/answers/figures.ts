import { totalOf } from '#libs/ledger/charges/debt.ts';
import { figure } from '#libs/ledger/figure.ts';
import type { Taxed } from '#libs/ledger/line.ts';
import type { Debt } from '#libs/ledger/loan.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';

/** Figures as the contract serves them. */
export type Money = { readonly minor_units: number; readonly currency: string };
export type ChargeLine = {
  readonly charge: Charge;
  readonly amount: Money;
  readonly tax: Money;
  readonly total: Money;
};
export type Owed = { readonly total: Money; readonly charges: readonly ChargeLine[] };

export function money(amount: bigint, currency: string): Money {
  return { minor_units: figure(amount), currency };
}

export function chargeLine(charge: Charge, { amount, tax }: Taxed, currency: string): ChargeLine {
  return {
    charge,
    amount: money(amount, currency),
    tax: money(tax, currency),
    total: money(amount + tax, currency),
  };
}

/** The charge lines with something in them, in their fixed order. */
export function owedFigure(debt: Debt, currency: string): Owed {
  const charges: ChargeLine[] = [];
  for (const charge of CHARGES) {
    if (debt[charge].amount + debt[charge].tax > 0n) charges.push(chargeLine(charge, debt[charge], currency));
  }
  return { total: money(totalOf(debt), currency), charges };
}
