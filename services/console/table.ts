/** Tables: a caption for screen readers. On a phone each row of a wide table is a list of its cells with their titles. */
import { type Content, type Html, html } from './html.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Content;
  /** Aligned to the right. */
  readonly isNumber?: boolean;
}

/** Wider tables do not fit on a phone. */
const maxColumnsOnPhone = 3;

/** The roles are stated because browsers leave them out where the style sheet does not show a row as a row. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  rowClass?: (row: Row) => string | false,
): Html {
  const cellOf = ({ title, cell, isNumber }: Column<Row>, row: Row): Html =>
    html`<td role="cell" data-title=${title} class=${isNumber && 'number'}>${cell(row)}</td>`;
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${caption}>
    <table role="table" class=${columns.length > maxColumnsOnPhone && 'wide-table'}>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(
            ({ title, isNumber }) =>
              html`<th scope="col" role="columnheader" class=${isNumber && 'number'}>${title}</th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((row) => html`<tr role="row" class=${rowClass?.(row)}>${columns.map((column) => cellOf(column, row))}</tr>`)}
      </tbody>
    </table>
  </div>`;
}
