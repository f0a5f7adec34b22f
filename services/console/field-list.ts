/** A list of names and values. */
import { type Content, type Html, html } from './html.ts';

export type FieldRow = readonly [name: string, value: Content];

/** Rows without a value are left out. */
export function fieldList(rows: readonly FieldRow[]): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '');
  return html`<dl class="fields">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
