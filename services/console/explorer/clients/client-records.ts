/** What a Client's page shows besides Loans: Receipts, what is owed back, facilities, the bar. */
import type { Bar, FacilityDrawn, Obligations, ReceiptRow } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { fieldList, loanLink, receiptLink } from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import { type Column, table } from '../../table.ts';

export function receiptTable(visit: Visit, receipts: readonly ReceiptRow[]): Html {
  const { texts } = visit;
  const words = texts.explorer.receipts;
  const state = ({ reversed, reversed_at }: ReceiptRow): Content =>
    reversed
      ? html`<mark>${words.reversed}</mark> ${reversed_at && formatTimestamp(texts, reversed_at)}`
      : words.inForce;
  return table<ReceiptRow>(
    words.title,
    [
      {
        title: words.reference,
        cell: ({ reference, provider_reference: provider }) =>
          html`${receiptLink(visit, reference)}${provider && html`<small class="parts">${provider}</small>`}`,
      },
      { title: words.amount, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
      { title: words.valueDate, cell: ({ value_date }) => formatDay(texts, value_date) },
      { title: words.rail, cell: ({ rail }) => rail && words.rails[rail] },
      { title: words.reportedAt, cell: ({ reported_at }) => formatTimestamp(texts, reported_at) },
      { title: words.state, cell: state },
    ],
    receipts,
  );
}

export function barText({ texts }: Visit, { barred, lifts_on, decision }: Bar): Content {
  const words = texts.explorer.client;
  if (!barred) return words.notBarred;
  const until = lifts_on === undefined ? words.barred : words.barredUntil(formatDay(texts, lifts_on));
  if (decision === undefined) return until;
  return html`${until}<small class="parts">${words.decision} <code>${decision}</code></small>`;
}

export function facilityTable({ texts }: Visit, facilities: readonly FacilityDrawn[]): Html {
  const words = texts.explorer.facilities;
  const columns: readonly Column<FacilityDrawn>[] = [
    { title: words.reference, cell: ({ reference }) => reference },
    { title: words.amount, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
    { title: words.drawn, cell: ({ drawn }) => formatMoney(texts, drawn), isNumber: true },
    { title: words.headroom, cell: ({ headroom }) => formatMoney(texts, headroom), isNumber: true },
    { title: words.kind, cell: ({ line }) => (line ? words.line : words.once) },
    {
      title: words.window,
      cell: ({ opens_on, expires_on }) => `${formatDay(texts, opens_on)} – ${formatDay(texts, expires_on)}`,
    },
    { title: words.rate, cell: ({ rate }) => rate.percent && `${rate.percent} %`, isNumber: true },
    {
      title: words.state,
      cell: ({ superseded_by }) => (superseded_by === undefined ? words.inForce : words.superseded),
    },
  ];
  return table(words.title, columns, facilities);
}

/** Of each list of what is owed back; the API answers all but the Receipts whole. */
const shownOwedBack = 10;

/** The whole balance owed back, and where it comes from. */
export function obligationSummary(visit: Visit, obligations: Obligations): Html {
  const { texts } = visit;
  const words = texts.explorer.obligations;
  const {
    amount,
    currencies = [],
    receipts,
    returned = [],
    undone = [],
    settlements = [],
    rollovers = [],
  } = obligations;
  const count = new Intl.NumberFormat(texts.locale);
  const firstOf = <Item>(items: readonly Item[], show: (item: Item) => Content): Content => {
    const left = items.length - shownOwedBack;
    const shown = items.slice(0, shownOwedBack).map((item) => html`<div>${show(item)}</div>`);
    return items.length > 0 && [shown, left > 0 && html`<div>${words.others(count.format(left))}</div>`];
  };
  const balances = currencies.length === 0 ? [amount] : currencies.map((each) => each.amount);
  return fieldList([
    [words.amount, balances.map((each) => html`<div><strong>${formatMoney(texts, each)}</strong></div>`)],
    [words.receipts, firstOf(receipts, (name) => receiptLink(visit, name))],
    [words.more, obligations.cursor !== undefined && words.moreReceipts],
    [
      words.returned,
      firstOf(returned, (each) => {
        const loan = loanLink(visit, { loanId: each.loan_id, reference: each.loan_id });
        return html`${formatMoney(texts, each.amount)} · ${formatDay(texts, each.on)} · ${loan}`;
      }),
    ],
    [
      words.undone,
      firstOf(
        undone,
        (each) =>
          html`${formatMoney(texts, each.amount)} · ${formatDay(texts, each.on)} · ${receiptLink(visit, each.receipt)}`,
      ),
    ],
    [words.settlements, firstOf(settlements, (name) => name)],
    [words.rollovers, firstOf(rollovers, (name) => name)],
  ]);
}
