/** Parts that pages of Clients, Loans and Receipts share: amounts by charge, lists of fields, anomalies, raw context. */
import type { Anomaly, FactName, Owed } from '#libs/sdk/src/contract/shapes.ts';
import { formatMoney } from './amounts.ts';
import { bookPath } from './clocks.ts';
import type { Visit } from './console-context.ts';
import { type Content, type Html, html } from './html.ts';
import { table } from './table.ts';
import { tenancyPath } from './tenancy-path.ts';
import { wordFor } from './terms.ts';
import type { Texts } from './texts/en.ts';

/** The total; its charges below, where it has several. */
export function owedAmount(texts: Texts, { total, charges }: Owed, why?: Content): Html {
  const { explorer } = texts;
  const part = ({ charge, total: amount }: Owed['charges'][number]): Html =>
    html`<small class="parts">${wordFor(explorer.charges, charge)} ${formatMoney(texts, amount)}</small>`;
  return html`<span class="amount">${formatMoney(texts, total)}</span>${why && html` ${why}`}
    ${charges.length > 1 && charges.map(part)}`;
}

export type ExplainedFigure = 'overdue' | 'late' | 'payoff' | 'instalment' | 'paid';

export interface FigureOfLoan {
  readonly clientId: string;
  readonly loanId: string;
  /** How people know the Loan. */
  readonly reference: string;
}

/** Leads to the page that explains a figure of a Loan. */
export function whyLink(visit: Visit, { clientId, loanId, reference }: FigureOfLoan, figure: ExplainedFigure): Html {
  const { why, figures, whyOf } = visit.texts.explorer;
  const href = bookPath(visit, ['clients', clientId, 'explanation'], { loan: loanId, figure });
  return html`<a class="why" href=${href} aria-label=${whyOf(figures[figure], reference)}>${why}</a>`;
}

export type FieldRow = readonly [label: string, value: Content];

/** Rows without a value are left out. */
export function fieldList(rows: readonly FieldRow[]): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '');
  return html`<dl class="fields">${shown.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

/** What the caller sent as `context` or beside an act, as it was sent. */
export function rawJson(texts: Texts, value: object | undefined): Content {
  if (value === undefined || Object.keys(value).length === 0) return null;
  return html`<details class="raw">
    <summary>${texts.explorer.asSent}</summary>
    <pre>${JSON.stringify(value, null, 2)}</pre>
  </details>`;
}

export function anomalySection(visit: Visit, anomalies: readonly Anomaly[]): Content {
  const { anomalies: words } = visit.texts.explorer;
  if (anomalies.length === 0) return null;
  return html`<section class="anomalies">
    <h2>${words.title}</h2>
    <p>${words.intro}</p>
    ${table<Anomaly>(
      words.title,
      [
        { title: words.kind, cell: ({ kind }) => html`<code>${kind}</code>` },
        { title: words.detail, cell: (anomaly) => anomalyText(visit.texts, anomaly) },
        { title: words.facts, cell: ({ facts }) => facts.map((fact) => html`<div>${factLink(visit, fact)}</div>`) },
      ],
      anomalies,
    )}
  </section>`;
}

/** The kind is that of a refusal, or one of its own; a kind of a newer release has the sentence of the API. */
export function anomalyText({ explorer, refusals }: Texts, { kind, detail }: Anomaly): Content {
  const { anomalies: words } = explorer;
  const refusal = refusals[kind];
  const own = (words.kinds as Readonly<Record<string, string>>)[kind];
  return own ?? (refusal === undefined ? html`<span lang="en">${detail}</span>` : words.partly(refusal));
}

/** A Receipt is named by its reference and has a page; an event is on the page of its Loan. */
export function factLink(visit: Visit, { type, id }: FactName): Html {
  const { events, act } = visit.texts.explorer;
  if (type === 'receipt') return html`${events.receipt} ${receiptLink(visit, id)}`;
  return html`${type === 'reversal' ? events.reversal : act} <code>${id}</code>`;
}

export function receiptLink(visit: Visit, reference: string): Html {
  return html`<a href=${bookPath(visit, ['receipts', reference])}>${reference}</a>`;
}

export function loanLink(visit: Visit, { loanId, reference }: Omit<FigureOfLoan, 'clientId'>): Html {
  return html`<a href=${bookPath(visit, ['loans', loanId])}>${reference}</a>`;
}

export function clientLink(visit: Visit, clientId: string): Html {
  return html`<a href=${bookPath(visit, ['clients', clientId])}>${clientId}</a>`;
}

/** To the same list as a file. */
export function downloadLink({ texts }: Visit, href: string): Html {
  return html`<p class="screen-only"><a href=${href}>${texts.downloadCsv}</a></p>`;
}

export function productLink(
  { tenantId = '' }: Visit,
  { id, version }: { readonly id: string; readonly version: number },
): Html {
  return html`<a href=${tenancyPath(tenantId, ['products', id], { version })}>${id} · v${version}</a>`;
}

/** Links to the first and to the next page of a listing, at the clocks of this page. */
export function pageLinks(
  { texts, path, clocks }: Visit,
  query: Readonly<Record<string, string | undefined>>,
  { cursor, isFirst }: { readonly cursor?: string | undefined; readonly isFirst: boolean },
): Content {
  const to = (more: Readonly<Record<string, string>>): string => {
    const stated = Object.entries({ ...clocks, ...query, ...more }).filter(([, value]) => (value ?? '') !== '');
    const search = new URLSearchParams(stated.map(([name, value]) => [name, String(value)]));
    return search.size === 0 ? path : `${path}?${search}`;
  };
  if (isFirst && cursor === undefined) return null;
  return html`<nav class="pages" aria-label=${texts.explorer.pages}>
    ${!isFirst && html`<a href=${to({})}>${texts.first}</a>`}
    ${cursor !== undefined && html`<a rel="next" href=${to({ cursor })}>${texts.next}</a>`}
  </nav>`;
}
