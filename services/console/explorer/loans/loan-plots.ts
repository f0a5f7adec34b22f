/** The plots of a Loan: its balance, its plan against what was paid, and the days past due of its periods. */
import type { Delinquency, Loan, LoanStatement } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import type { Visit } from '../../console-context.ts';
import { type Content, html } from '../../html.ts';
import { balanceSeries, type DayAmount, type PlanAndPaid, planAndPaidSeries } from '../balance.ts';
import { plot } from '../plot.ts';
import type { LoanFigures } from './read-loan.ts';

export function loanPlots(visit: Visit, loan: Loan, { statement, delinquency }: LoanFigures): Content {
  return html`<div class="plots">
    ${statement && [balancePlot(visit, statement), planPlot(visit, loan, statement)]} ${daysPastDuePlot(visit, delinquency)}
  </div>`;
}

function balancePlot(visit: Visit, statement: LoanStatement): Content {
  const { texts } = visit;
  const words = texts.explorer.plots;
  return plot<DayAmount>(visit, {
    title: words.balance,
    note: words.balanceNote,
    kind: 'steps',
    rows: balanceSeries(statement, statement.lines),
    currency: statement.currency,
    day: ({ day }) => day,
    series: [{ label: words.owed, value: ({ amount }) => amount.minor_units }],
    columns: [
      { title: words.day, cell: ({ day }) => formatDay(texts, day) },
      { title: words.owed, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
    ],
  });
}

function planPlot(visit: Visit, { periods }: Loan, statement: LoanStatement): Content {
  const { texts } = visit;
  const words = texts.explorer.plots;
  return plot<PlanAndPaid>(visit, {
    title: words.planAndPaid,
    note: words.planNote,
    kind: 'steps',
    rows: planAndPaidSeries(periods, statement.lines, statement),
    currency: statement.currency,
    day: ({ day }) => day,
    series: [
      { label: words.planned, value: ({ planned }) => planned.minor_units },
      { label: words.paid, value: ({ paid }) => paid?.minor_units ?? null },
    ],
    columns: [
      { title: words.day, cell: ({ day }) => formatDay(texts, day) },
      { title: words.planned, cell: ({ planned }) => formatMoney(texts, planned), isNumber: true },
      { title: words.paid, cell: ({ paid }) => paid && formatMoney(texts, paid), isNumber: true },
    ],
  });
}

function daysPastDuePlot(visit: Visit, { periods }: Delinquency): Content {
  const { texts } = visit;
  const words = texts.explorer.plots;
  if (periods.length === 0) return null;
  return plot<Delinquency['periods'][number]>(visit, {
    title: words.daysPastDue,
    note: words.daysPastDueNote,
    kind: 'bars',
    rows: periods,
    day: ({ due_on }) => due_on,
    series: [{ label: words.days, value: ({ days_past_due }) => days_past_due }],
    columns: [
      { title: texts.explorer.schedule.period, cell: ({ index }) => index },
      { title: texts.explorer.schedule.dueOn, cell: ({ due_on }) => formatDay(texts, due_on) },
      { title: words.days, cell: ({ days_past_due }) => days_past_due, isNumber: true },
      { title: words.owed, cell: ({ owed }) => formatMoney(texts, owed.total), isNumber: true },
    ],
  });
}
