/** The result of a simulation: present, simulated and difference, of all Loans and of each, and the plan before and after. */
import type { Money, ScheduledPeriod, Simulation } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../amounts.ts';
import { bookPath } from '../clocks.ts';
import type { Visit } from '../console-context.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { wordFor } from '../terms.ts';
import {
  type Compared,
  type ComparedFigure,
  type ComparedLoan,
  type ComparedPeriod,
  comparedFigures,
  compareLoans,
  totalsByCurrency,
} from './compare.ts';

/** Loans whose figures, and periods of a plan, are shown. */
const maxLoans = 10;
const maxPeriods = 60;

export function simulationResult(visit: Visit, simulation: Simulation): Html {
  const { texts } = visit;
  const { simulation: words } = texts;
  const loans = compareLoans(simulation.is, simulation.would_be);
  const changed = loans.filter(({ isChanged }) => isChanged);
  const count = new Intl.NumberFormat(texts.locale);
  return html`<section class="simulation-result" id="result" tabindex="-1">
    <h2>${words.result(formatDay(texts, simulation.on))}</h2>
    ${totalsByCurrency(loans).map(
      ({ currency, loans: number, figures }) =>
        html`<h3>${words.allLoansIn(count.format(number), currency)}</h3>
          ${figureTable(visit, `${words.allLoans} ${currency}`, figures)}`,
    )}
    ${owedBackLine(visit, simulation)}
    ${changed.length === 0 && html`<p>${words.nothingChanges}</p>`}
    ${changed.length > maxLoans && html`<p>${words.moreLoans(count.format(maxLoans), count.format(changed.length))}</p>`}
    ${changed.slice(0, maxLoans).map((loan) => loanComparison(visit, simulation.on, loan))}
  </section>`;
}

function loanComparison(visit: Visit, on: string, loan: ComparedLoan): Html {
  const { texts } = visit;
  const { simulation: words, explanation } = texts;
  const { is, wouldBe } = loan.state;
  const state = (value: string) => wordFor(explanation.states, value);
  const href = bookPath(visit, ['loans', loan.id], { on });
  return html`<article>
    <h3>${words.loan} <a href=${href}>${loan.reference}</a></h3>
    <p>${words.state}: ${is === wouldBe ? state(is) : html`${state(is)} → <strong>${state(wouldBe)}</strong>`}</p>
    ${figureTable(visit, `${words.loan} ${loan.reference}`, loan.figures)} ${planTable(visit, loan)}
  </article>`;
}

function figureTable({ texts }: Visit, caption: string, figures: Readonly<Record<ComparedFigure, Compared>>): Html {
  const { simulation: words, explanation } = texts;
  const money = (amount: Money) => formatMoney(texts, amount);
  return table<ComparedFigure>(
    caption,
    [
      { title: words.figure, cell: (figure) => (figure === 'paid' ? words.paid : explanation.figures[figure]) },
      { title: words.present, cell: (figure) => money(figures[figure].is), isNumber: true },
      { title: words.simulated, cell: (figure) => money(figures[figure].wouldBe), isNumber: true },
      { title: words.difference, cell: (figure) => difference(texts, figures[figure].difference), isNumber: true },
    ],
    comparedFigures,
  );
}

function difference(texts: Visit['texts'], amount: Money): Content {
  if (amount.minor_units === 0) return '–';
  return html`<strong>${amount.minor_units > 0 && '+'}${formatMoney(texts, amount)}</strong>`;
}

/** Money of the Client that no Loan took. */
function owedBackLine({ texts }: Visit, { is, would_be: wouldBe }: Simulation): Content {
  const [before, after] = [is.obligations.amount, wouldBe.obligations.amount];
  if (before.currency !== after.currency || before.minor_units === after.minor_units) return null;
  const { simulation: words } = texts;
  return html`<p>${words.owedBack(formatMoney(texts, before), formatMoney(texts, after))}</p>`;
}

function planTable(visit: Visit, { periods, reference }: ComparedLoan): Content {
  const { texts } = visit;
  const { simulation: words } = texts;
  const changed = periods.filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return html`<p>${words.planStays}</p>`;
  const amount = (side: 'is' | 'wouldBe', of: 'charged' | 'owed') => (period: ComparedPeriod) =>
    amountOf(texts, period[side], of);
  const due = ({ is, wouldBe }: ComparedPeriod) => dueDays(texts, is, wouldBe);
  const count = new Intl.NumberFormat(texts.locale);
  return html`<h4>${words.plan}</h4>
    <p>${words.planIntro(count.format(Math.min(changed.length, maxPeriods)), count.format(periods.length))}</p>
    ${table<ComparedPeriod>(
      `${words.plan}: ${reference}`,
      [
        { title: words.period, cell: ({ index }) => index },
        { title: words.due, cell: due },
        { title: words.chargedNow, cell: amount('is', 'charged'), isNumber: true },
        { title: words.chargedThen, cell: amount('wouldBe', 'charged'), isNumber: true },
        { title: words.owedNow, cell: amount('is', 'owed'), isNumber: true },
        { title: words.owedThen, cell: amount('wouldBe', 'owed'), isNumber: true },
      ],
      changed.slice(0, maxPeriods),
    )}`;
}

function amountOf(texts: Visit['texts'], period: ScheduledPeriod | undefined, of: 'charged' | 'owed'): Content {
  if (period === undefined) return '–';
  const amount = formatMoney(texts, period[of].total);
  return period.alive || of === 'owed' ? amount : html`<s>${amount}</s>`;
}

function dueDays(
  texts: Visit['texts'],
  is: ScheduledPeriod | undefined,
  wouldBe: ScheduledPeriod | undefined,
): Content {
  const [before, after] = [is?.due_on, wouldBe?.due_on];
  if (before !== undefined && after !== undefined && before !== after) {
    return `${formatDay(texts, before)} → ${formatDay(texts, after)}`;
  }
  const day = after ?? before;
  return day && formatDay(texts, day);
}
