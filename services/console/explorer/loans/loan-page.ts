/** The page of a Loan. */
import type { Loan, LoanPaymentOptions } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import { clockForm, clockSentence } from '../../clock-form.ts';
import { bookPath, type Clocks } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import {
  anomalySection,
  clientLink,
  type ExplainedFigure,
  type FieldRow,
  fieldList,
  owedAmount,
  whyLink,
} from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import { tenancyPath } from '../../tenancy-path.ts';
import { wordFor } from '../../terms.ts';
import { lastDay } from '../statement-range.ts';
import { loanPlots } from './loan-plots.ts';
import { eventSection, quoteSection, receivedSection, returnSection } from './loan-records.ts';
import { loanTermCards } from './loan-terms.ts';
import type { LoanFigures, LoanView } from './read-loan.ts';
import { scheduleTable } from './schedule-table.ts';

type Why = (figure: ExplainedFigure) => Content;

export function loanPage(visit: Visit, clocks: Clocks, view: LoanView): Content {
  const { loan, figures, quotes } = view;
  const { explorer } = visit.texts;
  const words = explorer.loan;
  const { client_id: clientId, reference } = loan.terms;
  // What is shown where the day costs too much is of no day, and known now.
  const sentence = figures !== 'too_costly' && clockSentence(visit, clocks);
  const head = [loanLinks(visit, loan), clockForm(visit, clocks), sentence];
  if (figures === 'not_known') return [head, html`<p class="notice" role="note">${words.notKnown}</p>`];
  const why: Why = (figure) => whyLink(visit, { clientId, loanId: loan.id, reference }, figure);
  const records = [
    loanTermCards(visit, loan),
    eventSection(visit, loan),
    returnSection(visit, loan.returns ?? []),
    quoteSection(visit, quotes),
  ];
  if (figures === 'too_costly') {
    const condition = conditionCard(visit, loan, why);
    return [
      head,
      html`<p class="notice" role="note">${words.tooCostly}</p>`,
      html`<div class="cards">${condition}</div>`,
      records,
    ];
  }
  return [
    head,
    figures.statement === undefined && html`<p class="notice" role="note">${words.large}</p>`,
    summary(visit, loan, figures, why),
    loanPlots(visit, loan, figures),
    html`<section>
      <h2>${explorer.schedule.title}</h2>
      ${scheduleTable(visit, figures.schedule, loan.state, why('paid'))}
    </section>`,
    receivedSection(visit, figures.receipts),
    records,
    anomalySection(visit, figures.schedule.anomalies),
  ];
}

function loanLinks(visit: Visit, { id, terms }: Loan): Html {
  const { texts, tenantId = '' } = visit;
  const words = texts.explorer.loan;
  const simulation = bookPath(visit, ['clients', terms.client_id, 'simulation'], { loan: id });
  return html`<nav class="page-links" aria-label=${words.pages}>
    <span>${texts.explorer.loans.client} ${clientLink(visit, terms.client_id)}</span>
    <a href=${bookPath(visit, ['loans', id, 'schedule'])}>${words.schedulePage}</a>
    <a href=${bookPath(visit, ['loans', id, 'statement'], lastDay(visit))}>${words.statement}</a>
    <a href=${simulation}>${texts.explorer.client.simulation}</a>
    <a href=${tenancyPath(tenantId, ['evidence', 'loans', id])}>${texts.explorer.evidence}</a>
  </nav>`;
}

function summary(visit: Visit, loan: Loan, figures: LoanFigures, why: Why): Html {
  const words = visit.texts.explorer.loan;
  return html`<div class="cards">
    <article>
      <h2>${words.onDay}</h2>
      ${fieldList(dayRows(visit, figures))} ${fieldList(optionRows(visit, figures.options, why))}
    </article>
    ${conditionCard(visit, loan, why)}
  </div>`;
}

/** By all facts, whatever the day. */
function conditionCard(visit: Visit, loan: Loan, why: Why): Html {
  const { texts } = visit;
  const { explorer } = texts;
  const words = explorer.loan;
  const { write_off } = loan;
  return html`<article>
      <h2>${words.condition}</h2>
      ${fieldList([
        [explorer.loans.state, wordFor(explorer.states, loan.state)],
        [explorer.loans.principal, formatMoney(texts, loan.terms.principal)],
        [explorer.loans.paid, loan.paid && html`${formatMoney(texts, loan.paid)} ${why('paid')}`],
        [words.settledPeriods, loan.settled_periods],
        [words.remainingPeriods, loan.remaining_periods],
        [words.rolledOver, loan.rolled_over > 0 && loan.rolled_over],
        [words.owedTo, loan.owed_to && wordFor(words.creditors, loan.owed_to)],
        [words.closedOn, loan.closed_on && formatDay(texts, loan.closed_on)],
        [words.cededOn, loan.ceded_on && formatDay(texts, loan.ceded_on)],
        [words.writtenOff, write_off && formatDay(texts, write_off.on)],
        [words.cost, write_off && owedAmount(texts, write_off.cost)],
        [words.recovered, write_off && formatMoney(texts, write_off.recovered)],
      ])}
      <small>${explorer.loans.notOfDay}</small>
    </article>`;
}

function dayRows({ texts }: Visit, { statement, delinquency }: LoanFigures): readonly FieldRow[] {
  const words = texts.explorer.loan;
  const { suspension } = delinquency;
  const days = suspension && `${formatDay(texts, suspension.from)} – ${formatDay(texts, suspension.to)}`;
  return [
    [words.owed, statement && html`<strong>${formatMoney(texts, statement.closing)}</strong>`],
    [words.daysPastDue, delinquency.days_past_due],
    [words.suspension, suspension && `${days} (${suspension.reference})`],
  ];
}

/** What can be paid on the day: of a Loan that owes nothing then, no payoff and no other amount. */
function optionRows({ texts }: Visit, options: LoanPaymentOptions, why: Why): readonly FieldRow[] {
  const { loan: words, loans, charges } = texts.explorer;
  const { overdue, late, instalment, payoff, any_other_amount: other, waivers = [] } = options;
  const isPayable = payoff.owed.total.minor_units > 0;
  return [
    [loans.overdue, overdue && owedAmount(texts, overdue, overdue.total.minor_units > 0 && why('overdue'))],
    [loans.late, late && owedAmount(texts, late.owed, why('late'))],
    [
      loans.instalment,
      instalment &&
        html`${owedAmount(texts, instalment.owed, why('instalment'))}
          <small class="parts">${loans.dueOn(formatDay(texts, instalment.due_on))}</small>`,
    ],
    [
      loans.payoff,
      isPayable &&
        html`${owedAmount(texts, payoff.owed, why('payoff'))}
        <small class="parts">${words.actionableOn(formatDay(texts, payoff.actionable_on))}</small>`,
    ],
    [words.otherAmount, isPayable && wordFor(words.treatments, other.treatment)],
    [
      words.waivers,
      waivers.length > 0 &&
        waivers.map(({ amount, charge, period, on, reference }) => {
          const what = `${formatMoney(texts, amount)} ${wordFor(charges, charge)} · ${texts.explorer.schedule.period} ${period}`;
          return html`<div>${what} · ${formatDay(texts, on)} · ${reference}</div>`;
        }),
    ],
  ];
}
