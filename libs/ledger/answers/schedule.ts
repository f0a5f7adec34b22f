import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type Money, money, type Owed, owedFigure } from '#libs/ledger/answers/figures.ts';
import { asks, type BookOnDay } from '#libs/ledger/answers/moment.ts';
import { isLate } from '#libs/ledger/charges/accrue-to.ts';
import { NO_DEBT, sumOf, wholeDebt } from '#libs/ledger/charges/debt.ts';
import { type Line, NOTHING, type Taxed } from '#libs/ledger/line.ts';
import { type Debt, fallenDue, type Loan, type Origin, type Period } from '#libs/ledger/loan.ts';

export type SchedulePeriod = {
  readonly index: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly actionable_from: string;
  readonly charged: Owed;
  readonly settled: Owed;
  readonly waived: Owed;
  readonly owed: Owed;
  readonly fallen_due: boolean;
  readonly late: boolean;
  readonly settled_on?: string;
  readonly origin: Origin | 'purchase';
  /** False for a period that an act, early money, a payoff or a return ended. */
  readonly alive: boolean;
};

export type Schedule = {
  readonly loan_id: string;
  readonly on: string;
  readonly level: Money;
  readonly periods: readonly SchedulePeriod[];
  readonly totals: { readonly charged: Owed; readonly settled: Owed; readonly waived: Owed; readonly owed: Owed };
  readonly anomalies: readonly Anomaly[];
};

export function schedule(moment: BookOnDay, loan: Loan): Schedule {
  const { on } = moment;
  const { currency, downPayment } = loan.terms;
  const asking = asks(loan, on);
  const rows = loan.periods.map((period) => ({ period, debts: debtsOf(period, asking) }));
  const sides = rows.map(({ debts }) => debts);
  const purchase = downPayment === 0n ? [] : [atPurchase(loan, on)];
  if (downPayment > 0n) sides.push(purchaseDebts(downPayment));
  return {
    loan_id: loan.id,
    on: formatDay(on),
    level: money(loan.level, currency),
    periods: [...purchase, ...rows.map(({ period, debts }) => row(loan, period, debts, on, asking))],
    totals: {
      // What an ended period charged moved on to another, or is charged no more.
      charged: owedFigure(sumOf(sides.map(({ standing }) => standing)), currency),
      settled: owedFigure(sumOf(sides.map(({ settled }) => settled)), currency),
      waived: owedFigure(sumOf(sides.map(({ waived }) => waived)), currency),
      owed: owedFigure(sumOf(sides.map(({ owed }) => owed)), currency),
    },
    anomalies: anomaliesOf(moment.book, loan),
  };
}

type Debts = {
  /** What of `charged` a living period stands for: of an ended one, what came of it. */
  readonly standing: Debt;
  readonly charged: Debt;
  readonly settled: Debt;
  readonly waived: Debt;
  readonly owed: Debt;
};

function debtsOf(period: Period, asking: boolean): Debts {
  const charged = side(period, ({ charged: amount, tax }) => ({ amount, tax }));
  return {
    standing: period.alive ? charged : side(period, metOf),
    charged,
    settled: side(period, ({ settled, settledTax }) => ({ amount: settled, tax: settledTax })),
    waived: side(period, ({ waived, waivedTax }) => ({ amount: waived, tax: waivedTax })),
    owed: asking ? wholeDebt(period) : NO_DEBT,
  };
}

function side(period: Period, of: (line: Line) => Taxed): Debt {
  return {
    principal: of(period.principal),
    interest: of(period.interest),
    fee: of(period.fee),
    penalty: of(period.penalty),
    late_fee: of(period.late_fee),
  };
}

function row(loan: Loan, period: Period, debts: Debts, on: CivilDay, asking: boolean): SchedulePeriod {
  const { currency } = loan.terms;
  return {
    index: period.index,
    scheduled_on: formatDay(period.scheduledOn),
    due_on: formatDay(period.dueOn),
    actionable_from: formatDay(period.actionableFrom),
    charged: owedFigure(debts.charged, currency),
    settled: owedFigure(debts.settled, currency),
    waived: owedFigure(debts.waived, currency),
    owed: owedFigure(debts.owed, currency),
    fallen_due: fallenDue(period, on),
    late: asking && isLate(loan, period, on),
    ...(period.settledOn === undefined ? {} : { settled_on: formatDay(period.settledOn) }),
    origin: period.origin,
    alive: period.alive,
  };
}

/** What was settled and waived of a line. */
function metOf({ settled, settledTax, waived, waivedTax }: Line): Taxed {
  return { amount: settled + waived, tax: settledTax + waivedTax };
}

function purchaseDebts(downPayment: bigint): Debts {
  const paid = { ...NO_DEBT, principal: { amount: downPayment, tax: 0n } };
  return { standing: paid, charged: paid, settled: paid, waived: NO_DEBT, owed: { ...NO_DEBT, principal: NOTHING } };
}

/** The payment at purchase: period 0, received on the anchor without a Receipt. */
function atPurchase({ terms }: Loan, on: CivilDay): SchedulePeriod {
  const { currency, anchor, downPayment } = terms;
  const debts = purchaseDebts(downPayment);
  const day = formatDay(anchor);
  return {
    index: 0,
    scheduled_on: day,
    due_on: day,
    actionable_from: day,
    charged: owedFigure(debts.charged, currency),
    settled: owedFigure(debts.settled, currency),
    waived: owedFigure(debts.waived, currency),
    owed: owedFigure(debts.owed, currency),
    fallen_due: anchor <= on,
    late: false,
    settled_on: day,
    origin: 'purchase',
    alive: true,
  };
}
