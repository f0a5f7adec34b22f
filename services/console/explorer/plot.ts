/** A plot that a script draws, with its figures as a table below it. Without scripts the table is open to all. */
import type { Visit } from '../console-context.ts';
import { moneyFormat } from '../formatters.ts';
import { type Html, html } from '../html.ts';
import { type Column, table } from '../table.ts';

/** For pages with plots. */
export const plotAssets = {
  scripts: ['uplot.js', 'plots.js'],
  styles: ['uplot.css', 'explorer.css'],
} as const;

export interface Plot<Row> {
  readonly title: string;
  /** What a reader must know to read it right. */
  readonly note: string;
  readonly kind: 'steps' | 'bars';
  /** Each point of the plot, in the order of days. */
  readonly rows: readonly Row[];
  readonly day: (row: Row) => string;
  /** Null where the line has ended. */
  readonly series: readonly { readonly label: string; readonly value: (row: Row) => number | null }[];
  /** Absent where the values are numbers of days. */
  readonly currency?: string;
  readonly columns: readonly Column<Row>[];
}

export function plot<Row>(
  { texts }: Visit,
  { title, note, kind, rows, day, series, currency, columns }: Plot<Row>,
): Html {
  const data = {
    kind,
    locale: texts.locale,
    currency,
    currencyDisplay: currency && moneyFormat(texts.locale, currency).format.resolvedOptions().currencyDisplay,
    dayLabel: texts.explorer.plots.day,
    days: rows.map(day),
    series: series.map(({ label, value }) => ({ label, values: rows.map(value) })),
  };
  return html`<figure class="plot">
    <figcaption><strong>${title}</strong> <small>${note}</small></figcaption>
    <div class="plot-area" role="img" aria-label=${title} data-plot=${JSON.stringify(data)}></div>
    <details>
      <summary>${texts.explorer.plots.asTable}</summary>
      ${table(title, columns, rows)}
    </details>
  </figure>`;
}
