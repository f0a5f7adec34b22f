/** Amounts as answers show them. */

import { debtTotal } from '#libs/ledger/charges/debt.ts';
import { jsonNumber } from '#libs/ledger/json-number.ts';
import type { Taxed } from '#libs/ledger/line.ts';
import type { Debt } from '#libs/ledger/loan.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type ChargeLine = {
  readonly charge: Charge;
  readonly amount: MoneyJson;
  readonly tax: MoneyJson;
  readonly total: MoneyJson;
};
export type OwedFigure = { readonly total: MoneyJson; readonly charges: readonly ChargeLine[] };

export function moneyFigure(amount: bigint, currency: string): MoneyJson {
  return { minor_units: jsonNumber(amount), currency };
}

export function chargeLine(charge: Charge, { amount, tax }: Taxed, currency: string): ChargeLine {
  return {
    charge,
    amount: moneyFigure(amount, currency),
    tax: moneyFigure(tax, currency),
    total: moneyFigure(amount + tax, currency),
  };
}

/** Charges without an amount are left out. The others come in a fixed order. */
export function owedFigure(debt: Debt, currency: string): OwedFigure {
  const charges: ChargeLine[] = [];
  for (const charge of CHARGES) {
    if (debt[charge].amount + debt[charge].tax > 0n) charges.push(chargeLine(charge, debt[charge], currency));
  }
  return { total: moneyFigure(debtTotal(debt), currency), charges };
}
