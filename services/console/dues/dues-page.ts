/** The Clients of a Tenancy with something due and unpaid on a day: a row for each Loan, and what the API adds up. */
import type { ClientDues, DueLoan, DuesPage } from '#libs/sdk/src/contract/shapes.ts';
import { formatMoney } from '../amounts.ts';
import { clockSentence } from '../clock-form.ts';
import type { Clocks } from '../clocks.ts';
import type { Visit } from '../console-context.ts';
import { instalmentCell, lateCell, overdueCell } from '../explorer/due-cells.ts';
import { printHint } from '../explorer/letterhead.ts';
import { clientLink, downloadLink, loanLink, pageLinks } from '../figures.ts';
import { choice, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import type { DuesPart } from '../read-parts.ts';
import { table } from '../table.ts';
import { tenancyPath } from '../tenancy-path.ts';

/** As the address states it. */
export interface DuesFilter {
  /** `late`, or empty. */
  readonly only: string;
  readonly min_days_past_due: string;
}

export interface ShownDues {
  readonly clocks: Clocks;
  readonly filter: DuesFilter;
  readonly problems: readonly string[];
  /** Absent where the filter is wrong. */
  readonly part: DuesPart | undefined;
  readonly isFirst: boolean;
  /** Of a Client whose figures are computed. */
  readonly maxLoans: number;
}

export function duesPage(visit: Visit, shown: ShownDues): Content {
  const { clocks, filter, problems, part } = shown;
  return [
    html`<p class="screen-only">${visit.texts.dues.intro}</p>`,
    errorList(problems),
    filterForm(visit, clocks, filter),
    part && [
      presets(visit, clocks),
      clockSentence(visit, clocks),
      part.clients.length === 0 ? html`<p>${emptyText(visit, shown)}</p>` : foundDues(visit, shown, part),
      pageLinks(visit, { ...filter }, { cursor: part.next, isFirst: shown.isFirst }),
      part.clients.length > 0 && printHint(visit),
    ],
  ];
}

function filterForm({ texts, path }: Visit, { on }: Clocks, filter: DuesFilter): Html {
  const { dues: words, explorer } = texts;
  const choices = [
    { value: '', text: words.all },
    { value: 'late', text: words.late },
  ];
  const days = { name: 'min_days_past_due', type: 'number', min: 1, label: words.minDays, required: false } as const;
  return html`<form method="get" action=${path} class="clocks">
    ${field({ name: 'on', label: explorer.clocks.on, type: 'date', value: on })}
    ${choice('only', words.which, choices, filter.only)} ${field({ ...days, value: filter.min_days_past_due })}
    <button class="secondary">${explorer.clocks.show}</button>
  </form>`;
}

const presetDays = [1, 30, 60, 90];

function presets({ texts, tenantId = '' }: Visit, { on }: Clocks): Html {
  const { dues: words } = texts;
  const link = (days: number): Html => {
    const href = tenancyPath(tenantId, ['dues'], { on, min_days_past_due: days });
    return html`<a href=${href}>${words.days(days)}</a>`;
  };
  return html`<p class="presets screen-only">${words.presets} ${presetDays.map((days, index) => [index > 0 && ' · ', link(days)])}</p>`;
}

function emptyText({ texts }: Visit, { filter, part, isFirst }: ShownDues): string {
  const { dues: words, explorer } = texts;
  if (part?.next !== undefined) return explorer.loans.noneOnPage;
  if (!isFirst) return explorer.loans.noneFound;
  return filter.only === '' && filter.min_days_past_due === '' ? words.none : words.noneMatch;
}

function foundDues(visit: Visit, shown: ShownDues, part: DuesPart): Content {
  const { texts, tenantId = '' } = visit;
  const { dues: words } = texts;
  const isWhole = shown.isFirst && part.next === undefined;
  const title = isWhole ? words.totals : words.pageTotals;
  const leftOut = part.clients.filter(({ totals }) => totals.length === 0).length;
  const csv = tenancyPath(tenantId, ['dues.csv'], { on: shown.clocks.on, ...shown.filter });
  return [
    html`<section>
      <h2>${title}</h2>
      ${part.totals.length > 0 && totalsTable(visit, title, part.totals)}
      ${leftOut > 0 && html`<p>${words.leftOut(leftOut)}</p>`} ${!isWhole && html`<p>${words.furtherPages}</p>`}
      ${downloadLink(visit, csv)}
    </section>`,
    html`<section>
      <h2>${words.loans}</h2>
      ${loanTable(visit, shown, part)}
    </section>`,
  ];
}

type Totals = DuesPage['totals'][number];

function totalsTable({ texts }: Visit, title: string, totals: readonly Totals[]): Html {
  const { dues: words, explorer } = texts;
  const number = new Intl.NumberFormat(texts.locale);
  return table<Totals>(
    title,
    [
      { title: words.currency, cell: ({ currency }) => currency },
      { title: words.clients, cell: ({ clients }) => number.format(clients), isNumber: true },
      { title: explorer.loans.overdue, cell: ({ overdue }) => formatMoney(texts, overdue), isNumber: true },
      { title: explorer.loans.late, cell: ({ late }) => formatMoney(texts, late), isNumber: true },
    ],
    totals,
  );
}

/** A Loan; the sum of a Client's Loans in a currency; or a Client without figures. */
type Row = { readonly clientId: string } & (
  | { readonly loan: DueLoan }
  | { readonly sum: ClientDues['totals'][number] }
  | { readonly note: string }
);

function loanTable(visit: Visit, { maxLoans }: ShownDues, { clients }: DuesPart): Html {
  const { texts } = visit;
  const { dues: words, explorer } = texts;
  const { loans: loanWords } = explorer;
  const rowsOf = ({ client_id: clientId, loans, totals, isLarge }: DuesPart['clients'][number]): readonly Row[] => {
    if (isLarge === true) return [{ clientId, note: words.large(maxLoans) }];
    if (loans.length === 0) return [{ clientId, note: words.unknown }];
    const sums = loans.length > 1 ? totals : [];
    return [...loans.map((loan) => ({ clientId, loan })), ...sums.map((sum) => ({ clientId, sum }))];
  };
  const strong = (text: string): Html => html`<strong>${text}</strong>`;
  const ofLoan = (row: Row, cell: (loan: DueLoan, figure: Parameters<typeof overdueCell>[1]) => Content): Content => {
    if (!('loan' in row)) return null;
    const { loan_id: loanId, reference } = row.loan;
    return cell(row.loan, { clientId: row.clientId, loanId, reference });
  };
  const name = (row: Row): Content => {
    if ('note' in row) return html`<small class="parts note">${row.note}</small>`;
    return 'sum' in row ? strong(words.sum) : ofLoan(row, (_loan, figure) => loanLink(visit, figure));
  };
  const overdue = (row: Row): Content =>
    'sum' in row
      ? strong(formatMoney(texts, row.sum.overdue))
      : ofLoan(row, (loan, figure) => overdueCell(visit, figure, loan.overdue));
  const late = (row: Row): Content =>
    'sum' in row
      ? strong(formatMoney(texts, row.sum.late))
      : ofLoan(row, (loan, figure) => lateCell(visit, figure, loan.late));
  const instalment = (row: Row): Content =>
    ofLoan(row, (loan, figure) => instalmentCell(visit, figure, loan.instalment));
  return table<Row>(
    words.loans,
    [
      { title: loanWords.client, cell: ({ clientId }) => clientLink(visit, clientId) },
      { title: loanWords.loan, cell: name },
      { title: loanWords.overdue, cell: overdue, isNumber: true },
      { title: loanWords.late, cell: late, isNumber: true },
      { title: loanWords.instalment, cell: instalment, isNumber: true },
    ],
    clients.flatMap(rowsOf),
  );
}
