/** The schedule of a Loan on a day: its periods with what is charged, settled, waived and owed. */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { moneyFigure, type OwedFigure, owedFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type BookOnDay, isClaimable } from '#libs/ledger/answers/book-on-day.ts';
import { NO_DEBT, periodDebt, sumDebts } from '#libs/ledger/charges/debt.ts';
import { isLate } from '#libs/ledger/charges/lateness.ts';
import { type Line, type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import { type Debt, hasFallenDue, type Loan, type Origin, type Period } from '#libs/ledger/loan.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

type ScheduleSides<Amount> = {
  readonly charged: Amount;
  readonly settled: Amount;
  readonly waived: Amount;
  readonly owed: Amount;
};

export type SchedulePeriod = ScheduleSides<OwedFigure> & {
  readonly index: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly actionable_from: string;
  readonly fallen_due: boolean;
  readonly late: boolean;
  readonly settled_on?: string;
  readonly origin: Origin | 'purchase';
  /** False for a period ended by an act, early money, a payoff or a return. */
  readonly alive: boolean;
};

export type ScheduleAnswer = {
  readonly loan_id: string;
  readonly on: string;
  readonly level: MoneyJson;
  readonly periods: readonly SchedulePeriod[];
  readonly totals: ScheduleSides<OwedFigure>;
  readonly anomalies: readonly Anomaly[];
};

export function scheduleAnswer(bookDay: BookOnDay, loan: Loan): ScheduleAnswer {
  const { on } = bookDay;
  const { currency, downPayment } = loan.terms;
  const claimable = isClaimable(loan, on);
  const rows = loan.periods.map((period) => ({ period, debts: periodFigures(period, claimable) }));
  const sides = rows.map(({ debts }) => debts);
  const purchase = downPayment === 0n ? [] : [atPurchase(loan, on)];
  if (downPayment > 0n) sides.push(purchaseDebts(downPayment));
  return {
    loan_id: loan.id,
    on: formatDay(on),
    level: moneyFigure(loan.level, currency),
    periods: [...purchase, ...rows.map(({ period, debts }) => row(loan, period, debts, on, claimable))],
    totals: sideFigures(
      {
        // The charges of an ended period moved to another period or no longer exist.
        charged: sumDebts(sides.map(({ standing }) => standing)),
        settled: sumDebts(sides.map(({ settled }) => settled)),
        waived: sumDebts(sides.map(({ waived }) => waived)),
        owed: sumDebts(sides.map(({ owed }) => owed)),
      },
      currency,
    ),
    anomalies: anomaliesOf(bookDay.book, loan),
  };
}

function sideFigures({ charged, settled, waived, owed }: ScheduleSides<Debt>, currency: string) {
  return {
    charged: owedFigure(charged, currency),
    settled: owedFigure(settled, currency),
    waived: owedFigure(waived, currency),
    owed: owedFigure(owed, currency),
  };
}

type PeriodFigures = ScheduleSides<Debt> & {
  /** What the period adds to the total charged: of an ended period only what was settled or waived. */
  readonly standing: Debt;
};

function periodFigures(period: Period, claimable: boolean): PeriodFigures {
  const charged = sumPerCharge(period, ({ charged: amount, tax }) => ({ amount, tax }));
  return {
    standing: period.alive ? charged : sumPerCharge(period, metOf),
    charged,
    settled: sumPerCharge(period, ({ settled, settledTax }) => ({ amount: settled, tax: settledTax })),
    waived: sumPerCharge(period, ({ waived, waivedTax }) => ({ amount: waived, tax: waivedTax })),
    owed: claimable ? periodDebt(period) : NO_DEBT,
  };
}

function sumPerCharge(period: Period, of: (line: Line) => Taxed): Debt {
  return {
    principal: of(period.principal),
    interest: of(period.interest),
    fee: of(period.fee),
    penalty: of(period.penalty),
    late_fee: of(period.late_fee),
  };
}

function row(loan: Loan, period: Period, debts: PeriodFigures, on: CivilDay, claimable: boolean): SchedulePeriod {
  return {
    index: period.index,
    scheduled_on: formatDay(period.scheduledOn),
    due_on: formatDay(period.dueOn),
    actionable_from: formatDay(period.actionableFrom),
    ...sideFigures(debts, loan.terms.currency),
    fallen_due: hasFallenDue(period, on),
    late: claimable && isLate(loan, period, on),
    ...(period.settledOn === undefined ? {} : { settled_on: formatDay(period.settledOn) }),
    origin: period.origin,
    alive: period.alive,
  };
}

/** The settled and waived part of a line. */
function metOf({ settled, settledTax, waived, waivedTax }: Line): Taxed {
  return { amount: settled + waived, tax: settledTax + waivedTax };
}

function purchaseDebts(downPayment: bigint): PeriodFigures {
  const paid = { ...NO_DEBT, principal: { amount: downPayment, tax: 0n } };
  return { standing: paid, charged: paid, settled: paid, waived: NO_DEBT, owed: { ...NO_DEBT, principal: ZERO_TAXED } };
}

/** The down payment as period 0. It is received on the anchor without a Receipt. */
function atPurchase({ terms }: Loan, on: CivilDay): SchedulePeriod {
  const { currency, anchor, downPayment } = terms;
  const day = formatDay(anchor);
  return {
    index: 0,
    scheduled_on: day,
    due_on: day,
    actionable_from: day,
    ...sideFigures(purchaseDebts(downPayment), currency),
    fallen_due: anchor <= on,
    late: false,
    settled_on: day,
    origin: 'purchase',
    alive: true,
  };
}
