/** A Client's statement, made to be printed: each Loan after the first begins a page. */
import type { Statement } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../../console-context.ts';
import { anomalySection, clientLink, downloadLink, loanLink } from '../../figures.ts';
import { type Content, html } from '../../html.ts';
import { tenancyPath } from '../../tenancy-path.ts';
import { type Letter, letterhead, printHint } from '../letterhead.ts';
import { partLinks, statementPart } from '../statement-pages.ts';
import { aboutStatement, statementLines, statementTotals } from '../statement-parts.ts';
import { isReversed, rangeForm, rangeQuery, reversedRangeForm, type StatementRange } from '../statement-range.ts';

interface ClientStatement {
  readonly clientId: string;
  readonly range: StatementRange;
  /** Of a long statement, as requested. */
  readonly part: string;
  readonly profile: Letter['profile'];
  /** Absent where the days are reversed, or the book is too large to be read whole. */
  readonly statement: Statement | undefined;
}

export function clientStatementPage(
  visit: Visit,
  { clientId, range, part, profile, statement }: ClientStatement,
): Content {
  const { texts } = visit;
  const words = texts.explorer.statement;
  const back = html`<p class="screen-only">${clientLink(visit, clientId)}</p>`;
  if (isReversed(range)) return [back, reversedRangeForm(visit, range)];
  if (statement === undefined) return [back, html`<p class="notice" role="note">${words.tooLarge}</p>`];
  const { loans, currencies } = statement;
  const shown = statementPart(loans, part);
  return [
    back,
    rangeForm(visit, range),
    printHint(visit),
    downloadLink(visit, tenancyPath(visit.tenantId ?? '', ['clients', clientId, 'statement.csv'], rangeQuery(range))),
    letterhead(visit, {
      profile,
      about: aboutStatement(visit, range, html`${texts.explorer.loans.client} ${clientId}`),
    }),
    currencies.map(
      (totals) =>
        html`<section><h2>${words.allLoans(totals.loans, totals.currency)}</h2>${statementTotals(visit, totals)}</section>`,
    ),
    loans.length === 0 && html`<p>${texts.explorer.loans.none}</p>`,
    partLinks(visit, shown, rangeQuery(range)),
    shown.loans.map(
      (loan) => html`<section class="sheet">
        <h2>${texts.explorer.loans.loan} ${loanLink(visit, { loanId: loan.id, reference: loan.reference })}</h2>
        ${statementTotals(visit, loan)} ${statementLines(visit, loan.reference, loan.lines)} ${anomalySection(visit, loan.anomalies)}
      </section>`,
    ),
    partLinks(visit, shown, rangeQuery(range)),
  ];
}
