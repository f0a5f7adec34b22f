/** What is due of a Loan on a day, in cells of a table: amounts by charge, each with a link to its explanation. */
import type { Instalment, Late, Owed } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay } from '../amounts.ts';
import type { Visit } from '../console-context.ts';
import { type FigureOfLoan, owedAmount, whyLink } from '../figures.ts';
import { type Content, html } from '../html.ts';

export function overdueCell(visit: Visit, loan: FigureOfLoan, overdue: Owed | undefined): Content {
  return overdue && owedAmount(visit.texts, overdue, overdue.total.minor_units > 0 && whyLink(visit, loan, 'overdue'));
}

export function lateCell(visit: Visit, loan: FigureOfLoan, late: Late | undefined): Content {
  const { texts } = visit;
  if (late === undefined) return texts.explorer.notLate;
  return html`${owedAmount(texts, late.owed, whyLink(visit, loan, 'late'))}
    <small class="parts">${texts.explorer.loans.daysPastDue(late.worst_days_past_due)}</small>`;
}

export function instalmentCell(visit: Visit, loan: FigureOfLoan, instalment: Instalment | undefined): Content {
  const { texts } = visit;
  if (instalment === undefined) return null;
  return html`${owedAmount(texts, instalment.owed, whyLink(visit, loan, 'instalment'))}
    <small class="parts">${texts.explorer.loans.dueOn(formatDay(texts, instalment.due_on))}</small>`;
}
