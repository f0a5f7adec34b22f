/** The totals and lines of a statement, of one Loan or of a Client. */
import type { StatementLine, StatementTotals } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../amounts.ts';
import type { Visit } from '../console-context.ts';
import { formatTimestamp } from '../dates.ts';
import { factLink, fieldList } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { wordFor } from '../terms.ts';
import type { StatementRange } from './statement-range.ts';

export function statementTotals({ texts }: Visit, totals: StatementTotals): Html {
  const words = texts.explorer.statement;
  const money = (name: keyof typeof words.totals & keyof StatementTotals) => {
    const amount = totals[name];
    return typeof amount === 'object' && 'minor_units' in amount
      ? html`<span class="amount">${formatMoney(texts, amount)}</span>`
      : undefined;
  };
  const names = Object.keys(words.totals) as (keyof typeof words.totals)[];
  return html`<div class="totals">${fieldList(names.map((name) => [words.totals[name], money(name)]))}</div>`;
}

/** `reference` is that of the Loan: a page may have the lines of several. */
export function statementLines(visit: Visit, reference: string, lines: readonly StatementLine[]): Html {
  const { texts } = visit;
  const { statement: words, movements, charges } = texts.explorer;
  if (lines.length === 0) return html`<p>${words.noLines}</p>`;
  return table<StatementLine>(
    words.linesOf(reference),
    [
      { title: words.day, cell: ({ on }) => formatDay(texts, on) },
      { title: words.movement, cell: ({ kind }) => wordFor(movements, kind) },
      { title: words.charge, cell: ({ charge }) => wordFor(charges, charge) },
      { title: words.period, cell: ({ period }) => period, isNumber: true },
      { title: words.amount, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
      { title: words.tax, cell: ({ tax }) => formatMoney(texts, tax), isNumber: true },
      { title: words.total, cell: ({ total }) => formatMoney(texts, total), isNumber: true },
      { title: words.fact, cell: ({ fact }) => fact && factLink(visit, fact) },
    ],
    lines,
  );
}

/** For the letterhead: whom, which days, and by which knowledge. */
export function aboutStatement(
  { texts }: Visit,
  { from, to, knownAt }: StatementRange,
  subject: Html,
): readonly Html[] {
  const { statement: words, clocks } = texts.explorer;
  const knowledge =
    knownAt === undefined ? clocks.knownNow : clocks.knownThen(html`${formatTimestamp(texts, knownAt)}`);
  return [
    subject,
    html`${words.range(formatDay(texts, from), formatDay(texts, to))}`,
    html`<small>${knowledge}</small>`,
  ];
}
