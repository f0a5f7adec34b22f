/** The Loans of a Tenancy by the filters of the API's listing. */
import { bookPath } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import { clientLink, downloadLink, pageLinks } from '../../figures.ts';
import { choice, field } from '../../form.ts';
import { type Html, html } from '../../html.ts';
import { type ListedLoanRow, listedLoans } from '../clients/client-loans.ts';

export interface LoanFilter {
  readonly client_id: string;
  readonly configuration_id: string;
  readonly merchant_ref: string;
  readonly state: string;
}

interface LoanRows {
  readonly loans: readonly ListedLoanRow[];
  readonly cursor?: string;
}

export function loanListPage(visit: Visit, filter: LoanFilter, { loans, cursor }: LoanRows, isFirst: boolean): Html {
  const { loans: words } = visit.texts.explorer;
  const rows = listedLoans(visit, loans, (clientId) => clientLink(visit, clientId));
  return html`<div>
    ${filterForm(visit, filter)}
    ${loans.length === 0 ? html`<p>${cursor === undefined ? words.noneFound : words.noneOnPage}</p>` : rows}
    ${pageLinks(visit, { ...filter }, { cursor, isFirst })}
    ${loans.length > 0 && downloadLink(visit, bookPath(visit, ['loans.csv'], { ...filter }))}
    ${filter.state === '' && html`<p><small>${words.heldLeftOut}</small></p>`}
  </div>`;
}

function filterForm({ texts, path }: Visit, filter: LoanFilter): Html {
  const { loans: words, states } = texts.explorer;
  const stateChoices = Object.entries(states).map(([value, text]) => ({ value, text }));
  const text = (name: keyof LoanFilter, label: string): Html =>
    field({ name, label, value: filter[name], required: false });
  return html`<form method="get" action=${path}>
    <div class="grid">
      ${text('client_id', words.client)} ${text('configuration_id', words.product)} ${text('merchant_ref', words.merchant)}
      ${choice('state', words.state, [{ value: '', text: words.listedStates }, ...stateChoices], filter.state)}
    </div>
    <button class="secondary">${words.filter}</button>
  </form>`;
}
