/** The page of a Receipt: the money, how it was allocated over Loans, and its reversal. */
import type { Receipt, ReceiptLoan } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { anomalySection, clientLink, fieldList, loanLink, owedAmount, rawJson } from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import { table } from '../../table.ts';
import { tenancyPath } from '../../tenancy-path.ts';
import { wordFor } from '../../terms.ts';

export function receiptPage(visit: Visit, read: Receipt): Content {
  const { texts, tenantId = '' } = visit;
  const { receipts: words } = texts.explorer;
  const { receipt, loans, anomalies } = read;
  return [
    html`<p class="clock-sentence">${words.knowledge}</p>`,
    html`<div class="cards">
      <article><h2>${words.money}</h2>${moneyFields(visit, read)}</article>
      <article><h2>${words.allocated}</h2>${allocationFields(visit, read)}</article>
      ${receipt.reversal && html`<article><h2>${words.reversal}</h2>${reversalFields(visit, read)}</article>`}
    </div>`,
    loans.map((loan) => loanAllocation(visit, loan)),
    loans.length === 0 && html`<p>${receipt.reversed ? words.nothingAfterReversal : words.nothingAllocated}</p>`,
    anomalySection(visit, anomalies),
    html`<p><a href=${tenancyPath(tenantId, ['evidence', 'receipts', receipt.reference])}>${texts.explorer.evidence}</a></p>`,
  ];
}

function moneyFields(visit: Visit, { receipt, quote_id, quoted_figure_agrees }: Receipt): Html {
  const { texts } = visit;
  const { receipts: words, loans, yes, no } = texts.explorer;
  const { designated_loan_id: designated } = receipt;
  return html`${fieldList([
    [words.amount, html`<strong>${formatMoney(texts, receipt.amount)}</strong>`],
    [loans.client, clientLink(visit, receipt.client_id)],
    [words.valueDate, formatDay(texts, receipt.value_date)],
    [words.reportedAt, formatTimestamp(texts, receipt.reported_at)],
    [words.rail, receipt.rail && words.rails[receipt.rail]],
    [words.providerReference, receipt.provider_reference],
    [words.designated, designated && loanLink(visit, { loanId: designated, reference: designated })],
    [words.payoffIntent, receipt.payoff_intent ? yes : no],
    [words.quote, quote_id && html`<code>${quote_id}</code>`],
    [words.quoteAgrees, quoted_figure_agrees !== undefined && (quoted_figure_agrees ? yes : no)],
  ])}
  ${rawJson(texts, receipt.context)}`;
}

function allocationFields({ texts }: Visit, { settled, surplus, excess, receipt }: Receipt): Html {
  const { receipts: words } = texts.explorer;
  return fieldList([
    [words.state, receipt.reversed ? html`<mark>${words.reversed}</mark>` : words.inForce],
    [words.settled, formatMoney(texts, settled)],
    [words.surplus, formatMoney(texts, surplus)],
    [words.excess, excess && formatMoney(texts, excess)],
  ]);
}

function reversalFields({ texts }: Visit, { receipt }: Receipt): Content {
  const { receipts: words } = texts.explorer;
  const { reversal, reversed_at } = receipt;
  if (reversal === undefined) return null;
  return [
    fieldList([
      [words.reason, wordFor(words.reasons, reversal.reason)],
      [words.reversedAt, reversed_at && formatTimestamp(texts, reversed_at)],
      [words.reference, reversal.reference],
      [words.actor, reversal.actor],
      [words.basis, reversal.basis],
    ]),
    rawJson(texts, reversal.context),
  ];
}

function loanAllocation(visit: Visit, loan: ReceiptLoan): Html {
  const { texts } = visit;
  const { receipts: words, charges, statement, loans } = texts.explorer;
  const name = loanLink(visit, { loanId: loan.loan_id, reference: loan.reference });
  return html`<section>
    <h2>${loans.loan} ${name}</h2>
    ${table<ReceiptLoan['lines'][number]>(
      `${loans.loan} ${loan.reference}`,
      [
        { title: statement.period, cell: ({ period }) => period, isNumber: true },
        { title: statement.charge, cell: ({ charge }) => wordFor(charges, charge) },
        { title: statement.amount, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
        { title: statement.tax, cell: ({ tax }) => formatMoney(texts, tax), isNumber: true },
        { title: statement.total, cell: ({ total }) => formatMoney(texts, total), isNumber: true },
      ],
      loan.lines,
    )}
    ${fieldList([
      [words.settled, owedAmount(texts, loan.settled)],
      [words.earlyPrincipal, loan.early_principal && formatMoney(texts, loan.early_principal)],
      [words.discharged, loan.discharged && texts.explorer.yes],
    ])}
  </section>`;
}
