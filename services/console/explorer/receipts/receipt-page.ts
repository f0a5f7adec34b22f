/** The page of a Receipt: the money, how it was allocated over Loans, and its reversal. */
import type { Receipt, ReceiptLoan, StatementLine } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import { clockNote, knowledgeForm, knowledgeSentence } from '../../clock-form.ts';
import type { Clocks } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { anomalySection, clientLink, fieldList, loanLink, owedAmount, rawJson } from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import { table } from '../../table.ts';
import { tenancyPath } from '../../tenancy-path.ts';
import { wordFor } from '../../terms.ts';
import type { ReceiptView } from './read-receipt.ts';

export function receiptPage(visit: Visit, clocks: Clocks, view: ReceiptView): Content {
  const { texts, tenantId = '' } = visit;
  const { receipts: words } = texts.explorer;
  const { receipt: read, isRecorded, isReversed } = view;
  const { receipt } = read;
  const allocated = 'loans' in read ? read : undefined;
  const isNow = clocks.knownAt === undefined;
  const head = [knowledgeForm(visit, clocks), knownSentence(visit, clocks, view)];
  if (!isRecorded) return [head, html`<p class="notice" role="note">${words.notRecorded}</p>`];
  return [
    head,
    receipt.value_date > clocks.on &&
      html`<p class="notice" role="note">${words.later(formatDay(texts, receipt.value_date))}</p>`,
    html`<div class="cards">
      <article><h2>${words.money}</h2>${moneyFields(visit, read)}</article>
      ${isNow && allocated && html`<article><h2>${words.allocated}</h2>${allocationFields(visit, allocated)}</article>`}
      ${isReversed && html`<article><h2>${words.reversal}</h2>${reversalFields(visit, read)}</article>`}
    </div>`,
    isNow ? allocation(visit, allocated, isReversed) : allocationThen(visit, view),
    isNow && allocated && anomalySection(visit, allocated.anomalies),
    html`<p><a href=${tenancyPath(tenantId, ['evidence', 'receipts', receipt.reference])}>${texts.explorer.evidence}</a></p>`,
  ];
}

function knownSentence(visit: Visit, clocks: Clocks, { isRecorded, settledThen }: ReceiptView): Content {
  const { texts } = visit;
  const { knownAt } = clocks;
  if (knownAt === undefined || !isRecorded || settledThen !== undefined) return knowledgeSentence(visit, clocks);
  const moment = html`<strong>${formatTimestamp(texts, knownAt)}</strong>`;
  return clockNote(visit, clocks, texts.explorer.receipts.tooLarge(moment));
}

function allocation(visit: Visit, read: Receipt | undefined, isReversed: boolean): Content {
  const { receipts: words } = visit.texts.explorer;
  if (read === undefined) return html`<p class="notice" role="note">${words.tooCostly}</p>`;
  const { loans } = read;
  if (loans.length === 0) return html`<p>${isReversed ? words.nothingAfterReversal : words.nothingAllocated}</p>`;
  return loans.map((loan) => loanAllocation(visit, loan));
}

/** By the statement of the day: as known at the moment of the clocks. */
function allocationThen(visit: Visit, { settledThen, isReversed }: ReceiptView): Content {
  const { receipts: words } = visit.texts.explorer;
  if (settledThen === undefined) return null;
  if (settledThen.length === 0) {
    return html`<p>${isReversed ? words.nothingAfterReversal : words.nothingAllocated}</p>`;
  }
  return settledThen.map(
    ({ id, reference, lines }) =>
      html`<section>${loanHeading(visit, id, reference)} ${settledLines(visit, reference, lines)}</section>`,
  );
}

function moneyFields(visit: Visit, read: ReceiptView['receipt']): Html {
  const { texts } = visit;
  const { receipt } = read;
  const { quote_id, quoted_figure_agrees } = 'loans' in read ? read : {};
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

function reversalFields({ texts }: Visit, { receipt }: ReceiptView['receipt']): Content {
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

function loanHeading(visit: Visit, loanId: string, reference: string): Html {
  return html`<h2>${visit.texts.explorer.loans.loan} ${loanLink(visit, { loanId, reference })}</h2>`;
}

type SettledLine = Pick<StatementLine, 'period' | 'charge' | 'amount' | 'tax' | 'total'>;

function settledLines({ texts }: Visit, reference: string, lines: readonly SettledLine[]): Html {
  const { charges, statement, loans } = texts.explorer;
  return table<SettledLine>(
    `${loans.loan} ${reference}`,
    [
      { title: statement.period, cell: ({ period }) => period, isNumber: true },
      { title: statement.charge, cell: ({ charge }) => wordFor(charges, charge) },
      { title: statement.amount, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
      { title: statement.tax, cell: ({ tax }) => formatMoney(texts, tax), isNumber: true },
      { title: statement.total, cell: ({ total }) => formatMoney(texts, total), isNumber: true },
    ],
    lines,
  );
}

function loanAllocation(visit: Visit, loan: ReceiptLoan): Html {
  const { texts } = visit;
  const { receipts: words } = texts.explorer;
  return html`<section>
    ${loanHeading(visit, loan.loan_id, loan.reference)} ${settledLines(visit, loan.reference, loan.lines)}
    ${fieldList([
      [words.settled, owedAmount(texts, loan.settled)],
      [words.earlyPrincipal, loan.early_principal && formatMoney(texts, loan.early_principal)],
      [words.discharged, loan.discharged && texts.explorer.yes],
    ])}
  </section>`;
}
