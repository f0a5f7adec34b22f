/** The page that explains one figure of a Loan on a day: its parts, its periods, its rules and its facts. */
import type { LoanExplanation, Money, Owed, ReceiptRow } from '#libs/sdk/src/contract/shapes.ts';
import { formatMoney } from '../amounts.ts';
import { clockForm, clockSentence } from '../clock-form.ts';
import { bookPath, type Clocks } from '../clocks.ts';
import type { Visit } from '../console-context.ts';
import { anomalyText, clientLink, loanLink } from '../figures.ts';
import { choice } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { wordFor } from '../terms.ts';
import { factSection } from './facts.ts';
import { periodSection } from './periods.ts';
import { type Rule, type RuleSources, ruleSection } from './rules.ts';

export const figures = ['overdue', 'late', 'payoff', 'instalment', 'paid'] as const;
export type Figure = (typeof figures)[number];

export interface ExplainedFigure extends RuleSources {
  readonly figure: Figure;
  readonly clocks: Clocks;
  readonly reversed: readonly ReceiptRow[];
}

export function figurePage(visit: Visit, page: ExplainedFigure): Html {
  const { explained, figure, clocks, reversed } = page;
  const owed = owedOf(explained, figure);
  return html`<div>
    ${subjectLine(visit, page)} ${clockForm(visit, clocks, figureChoice(visit, page))}
    ${clockSentence(visit, clocks, { kept: { loan: explained.loan.id, figure } })}
    ${hero(visit, page, owed)}
    ${owed && owed.charges.length > 0 && partTable(visit, owed)}
    ${figure !== 'paid' && periodSection(visit, explained, figure)}
    ${ruleSection(visit, page, rulesOf(explained, figure, owed))}
    ${factSection(visit, { explained, reversed, on: clocks.on })}
    ${anomalyList(visit, explained)}
  </div>`;
}

/** The figure by charge; what was paid is one amount. */
function owedOf({ payment_options: options }: LoanExplanation, figure: Figure): Owed | undefined {
  switch (figure) {
    case 'overdue':
      return options.overdue;
    case 'late':
      return options.late?.owed;
    case 'payoff':
      return options.payoff.owed;
    case 'instalment':
      return options.instalment?.owed;
    case 'paid':
      return undefined;
  }
}

function subjectLine(visit: Visit, { explained }: ExplainedFigure): Html {
  const { explanation: words } = visit.texts;
  const { client_id: clientId, loan } = explained;
  return html`<p>
    ${words.client} ${clientLink(visit, clientId)}${' · '}
    ${words.loan} ${loanLink(visit, { loanId: loan.id, reference: loan.terms.reference })}
  </p>`;
}

function figureChoice({ texts }: Visit, { explained, figure }: ExplainedFigure): Html {
  const { explanation: words } = texts;
  const choices = figures.map((value) => ({ value, text: words.figures[value] }));
  return html`<input type="hidden" name="loan" value=${explained.loan.id} />
    ${choice('figure', words.figure, choices, figure)}`;
}

function hero({ texts }: Visit, { explained, figure }: ExplainedFigure, owed: Owed | undefined): Html {
  const { explanation: words } = texts;
  const total: Money | undefined = figure === 'paid' ? explained.paid : owed?.total;
  const isLate = figure === 'overdue' || figure === 'late' || figure === 'instalment';
  const missing = total === undefined && isLate && words.absent[figure];
  return html`<section class="explained-figure">
    ${total === undefined ? html`<p><strong>${missing}</strong></p>` : html`<p class="hero">${formatMoney(texts, total)}</p>`}
    <p>${words.figureRules[figure]}</p>
  </section>`;
}

function partTable({ texts }: Visit, owed: Owed): Html {
  const { explanation: words } = texts;
  const money = (amount: Money) => formatMoney(texts, amount);
  type Row = { readonly name: string; readonly amount: Content; readonly tax: Content; readonly total: Content };
  const rows = owed.charges.map(
    ({ charge, amount, tax, total }): Row => ({
      name: wordFor(words.charges, charge),
      amount: money(amount),
      tax: money(tax),
      total: money(total),
    }),
  );
  const total = html`<strong>${money(owed.total)}</strong>`;
  return html`<section>
    <h2>${words.parts}</h2>
    ${table<Row>(
      words.parts,
      [
        { title: words.charge, cell: ({ name }) => name },
        { title: words.amount, cell: ({ amount }) => amount, isNumber: true },
        { title: words.tax, cell: ({ tax }) => tax, isNumber: true },
        { title: words.total, cell: (row) => row.total, isNumber: true },
      ],
      [...rows, { name: words.total, amount: '', tax: '', total }],
    )}
  </section>`;
}

/** The rules of the charges in the figure, of their tax, and for what was paid the order of payment. */
function rulesOf({ loan }: LoanExplanation, figure: Figure, owed: Owed | undefined): readonly Rule[] {
  if (figure === 'paid') return ['order'];
  const charges = (owed?.charges ?? []).map(({ charge }) => charge);
  const known = (['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const).filter((rule) =>
    charges.includes(rule),
  );
  return [
    ...known,
    ...(loan.terms.tax.on.some((charge) => charges.includes(charge)) ? (['tax'] as const) : []),
    'order',
  ];
}

function anomalyList({ texts }: Visit, { loan }: LoanExplanation): Content {
  if (loan.anomalies.length === 0) return null;
  return html`<section>
    <h2>${texts.explanation.anomalies}</h2>
    <ul>
      ${loan.anomalies.map((anomaly) => html`<li>${anomalyText(texts, anomaly)} <code>${anomaly.kind}</code></li>`)}
    </ul>
  </section>`;
}

/** Where no Loan was chosen. */
export function chooseFigure(
  visit: Visit,
  clientId: string,
  loans: readonly { readonly id: string; readonly reference: string }[],
): Html {
  const { explanation: words, explorer } = visit.texts;
  if (loans.length === 0) return html`<p>${words.noLoans}</p>`;
  const href = (loan: string, figure: Figure) =>
    bookPath(visit, ['clients', clientId, 'explanation'], { loan, figure });
  return html`<div>
    <p>${words.chooseIntro(clientId)} ${loans.length >= 50 && words.newestLoans}</p>
    ${table<(typeof loans)[number]>(
      words.chooseTitle,
      [
        { title: words.loan, cell: ({ reference }) => reference },
        ...figures.map((figure) => ({
          title: words.figures[figure],
          // What is shown begins the accessible name (WCAG 2.5.3), so that speech input finds the link.
          cell: ({ id, reference }: (typeof loans)[number]) =>
            html`<a href=${href(id, figure)} aria-label=${`${explorer.clocks.show}: ${words.figures[figure]}, ${reference}`}>
              ${explorer.clocks.show}
            </a>`,
        })),
      ],
      loans,
    )}
  </div>`;
}
