/** The schedule and the statement of a Loan, made to be printed. */
import type { Loan, LoanSchedule, LoanStatement } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay } from '../../amounts.ts';
import { clockForm, clockSentence } from '../../clock-form.ts';
import type { Clocks } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import { anomalySection, downloadLink, type FigureOfLoan, loanLink } from '../../figures.ts';
import { type Content, html } from '../../html.ts';
import { tenancyPath } from '../../tenancy-path.ts';
import { wordFor } from '../../terms.ts';
import { type Letter, letterhead, printHint } from '../letterhead.ts';
import { partLinks, statementPart } from '../statement-pages.ts';
import { aboutStatement, statementLines, statementTotals } from '../statement-parts.ts';
import { isReversed, rangeForm, rangeQuery, reversedRangeForm, type StatementRange } from '../statement-range.ts';
import { scheduleTable } from './schedule-table.ts';

interface LoanPaper {
  readonly loan: FigureOfLoan;
  readonly profile: Letter['profile'];
}

/** As known at the moment of the clocks. */
interface PlanOnDay {
  readonly loan: Pick<Loan, 'state' | 'events'>;
  readonly schedule: LoanSchedule;
}

interface StatementPaper extends LoanPaper {
  /** Absent where the days are reversed, or not even the last day can be computed for a page. */
  readonly statement: LoanStatement | undefined;
  /** Of a long statement, as requested. */
  readonly part: string;
  /** Whether it begins later than was requested. */
  readonly isShortened: boolean;
}

export function schedulePage(
  visit: Visit,
  clocks: Clocks,
  { loan, profile, plan }: LoanPaper & { readonly plan: PlanOnDay | 'not_known' | 'too_costly' },
): Content {
  const { loan: words } = visit.texts.explorer;
  const head = [html`<p class="screen-only">${loanLink(visit, loan)}</p>`, clockForm(visit, clocks)];
  if (typeof plan === 'string') {
    const text = plan === 'not_known' ? words.notKnown : words.tooCostly;
    return [head, html`<p class="notice" role="note">${text}</p>`];
  }
  const { schedule } = plan;
  const about = [...aboutLoan(visit, loan), stateWithDay(visit, plan.loan), formatDay(visit.texts, clocks.on)];
  return [
    head,
    printHint(visit),
    letterhead(visit, { profile, about }),
    clockSentence(visit, clocks),
    scheduleTable(visit, schedule, plan.loan.state),
    anomalySection(visit, schedule.anomalies),
  ];
}

export function loanStatementPage(
  visit: Visit,
  range: StatementRange,
  { loan, profile, statement, part, isShortened }: StatementPaper,
): Content {
  const { texts } = visit;
  const back = html`<p class="screen-only">${loanLink(visit, loan)}</p>`;
  if (isReversed(range)) return [back, reversedRangeForm(visit, range)];
  const head = [back, rangeForm(visit, range)];
  if (statement === undefined) {
    return [head, html`<p class="notice" role="note">${texts.explorer.statement.loanTooLarge}</p>`];
  }
  const shown = statementPart([statement], part);
  const about = aboutStatement(visit, range, html`${aboutLoan(visit, loan).join(' · ')}`);
  return [
    head,
    isShortened && html`<p class="notice" role="note">${texts.explorer.statement.shortened}</p>`,
    printHint(visit),
    downloadLink(visit, tenancyPath(visit.tenantId ?? '', ['loans', loan.loanId, 'statement.csv'], rangeQuery(range))),
    letterhead(visit, { profile, about }),
    statementTotals(visit, statement),
    partLinks(visit, shown, rangeQuery(range)),
    shown.loans.map(({ reference, lines }) => statementLines(visit, reference, lines)),
    partLinks(visit, shown, rangeQuery(range)),
    anomalySection(visit, statement.anomalies),
  ];
}

/** By all facts, so with the day of the act that led to it: the plan may be of an earlier day. */
function stateWithDay({ texts }: Visit, { state, events }: PlanOnDay['loan']): string {
  const { states, loans } = texts.explorer;
  const act = events.findLast(({ kind, retraction }) => kind === state && retraction === undefined);
  return `${loans.state}: ${wordFor(states, state)}${act === undefined ? '' : `, ${formatDay(texts, act.occurred_on)}`}`;
}

function aboutLoan({ texts }: Visit, { clientId, reference }: FigureOfLoan): readonly string[] {
  const { loans } = texts.explorer;
  return [`${loans.loan} ${reference}`, `${loans.client} ${clientId}`];
}
