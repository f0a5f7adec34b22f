/** Tables: a caption for screen readers, and scrolling sideways on a phone. */
import { type Content, type Html, html } from './html.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Content;
  /** Aligned to the right. */
  readonly isNumber?: boolean;
}

export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <thead>
        <tr>
          ${columns.map(({ title, isNumber }) => html`<th scope="col" class=${isNumber && 'number'}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(({ cell, isNumber }) => html`<td class=${isNumber && 'number'}>${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
