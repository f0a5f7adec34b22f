/** The Loans of a Client: with the figures of the day where the book is read whole, else as the listing has them. */
import type { ClientBook, LoanRow, RecordedLoanRow } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import type { Visit } from '../../console-context.ts';
import { type ExplainedFigure, type FigureOfLoan, loanLink, owedAmount, productLink, whyLink } from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import { table } from '../../table.ts';
import { wordFor } from '../../terms.ts';
import { instalmentCell, lateCell, overdueCell } from '../due-cells.ts';

type ClientLoan = ClientBook['loans'][number];

/** What can be paid on the day, a row for each Loan. */
export function loansOnDay(visit: Visit, clientId: string, loans: readonly ClientLoan[]): Html {
  const { texts } = visit;
  const words = texts.explorer.loans;
  const figureOf = ({ loan: { id, terms } }: ClientLoan): FigureOfLoan => ({
    clientId,
    loanId: id,
    reference: terms.reference,
  });
  const why = (row: ClientLoan, figure: ExplainedFigure): Content => whyLink(visit, figureOf(row), figure);
  const name = (row: ClientLoan): Content => loanLink(visit, figureOf(row));
  const paid = (row: ClientLoan): Content =>
    row.loan.paid && html`<span class="amount">${formatMoney(texts, row.loan.paid)}</span> ${why(row, 'paid')}`;
  const overdue = (row: ClientLoan): Content => overdueCell(visit, figureOf(row), row.payment_options.overdue);
  const late = (row: ClientLoan): Content => lateCell(visit, figureOf(row), row.payment_options.late);
  const instalment = (row: ClientLoan): Content => instalmentCell(visit, figureOf(row), row.payment_options.instalment);
  const payoff = (row: ClientLoan): Content => owedAmount(texts, row.payment_options.payoff.owed, why(row, 'payoff'));
  return table<ClientLoan>(
    words.title,
    [
      { title: words.reference, cell: name },
      { title: words.state, cell: ({ loan }) => wordFor(texts.explorer.states, loan.state) },
      { title: words.principal, cell: ({ loan }) => formatMoney(texts, loan.terms.principal), isNumber: true },
      { title: words.paid, cell: paid, isNumber: true },
      { title: words.overdue, cell: overdue, isNumber: true },
      { title: words.late, cell: late, isNumber: true },
      { title: words.instalment, cell: instalment, isNumber: true },
      { title: words.payoff, cell: payoff, isNumber: true },
    ],
    loans,
  );
}

export type ListedLoanRow = LoanRow | RecordedLoanRow;

/** Rows of the listing. A Loan whose book cannot be computed has only what is recorded of it. */
export function listedLoans(
  visit: Visit,
  loans: readonly ListedLoanRow[],
  client?: (clientId: string) => Content,
): Html {
  const { texts } = visit;
  const words = texts.explorer.loans;
  const columns = [
    {
      title: words.reference,
      cell: (row: ListedLoanRow) => loanLink(visit, { loanId: row.id, reference: row.reference }),
    },
    ...(client === undefined
      ? []
      : [{ title: words.client, cell: ({ client_id }: ListedLoanRow) => client(client_id) }]),
    { title: words.state, cell: (row: ListedLoanRow) => stateCell(visit, row) },
    {
      title: words.principal,
      cell: ({ principal }: ListedLoanRow) => principal && formatMoney(texts, principal),
      isNumber: true,
    },
    {
      title: words.paid,
      cell: (row: ListedLoanRow) => 'paid' in row && row.paid && formatMoney(texts, row.paid),
      isNumber: true,
    },
    { title: words.anchor, cell: ({ anchor }: ListedLoanRow) => anchor && formatDay(texts, anchor) },
    { title: words.periods, cell: ({ term_periods }: ListedLoanRow) => term_periods, isNumber: true },
    { title: words.rate, cell: ({ rate }: ListedLoanRow) => rate && `${rate} %`, isNumber: true },
    { title: words.product, cell: ({ configuration }: ListedLoanRow) => productLink(visit, configuration) },
  ];
  return table<ListedLoanRow>(words.title, columns, loans);
}

function stateCell({ texts }: Visit, { state, anomalies }: ListedLoanRow): Content {
  const word = wordFor(texts.explorer.states, state);
  return anomalies.length === 0 ? word : html`${word} <mark>${texts.explorer.anomalies.count(anomalies.length)}</mark>`;
}
