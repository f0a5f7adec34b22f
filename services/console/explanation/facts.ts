/** The facts behind a figure: Receipts with the lines they settled, reversed ones, and the acts on the Loan. */
import type { LoanEvent, LoanExplanation, Money, ReceiptRow } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../amounts.ts';
import { formatAsSent } from '../as-sent.ts';
import type { Visit } from '../console-context.ts';
import { formatTimestamp } from '../dates.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { tenancyPath } from '../tenancy-path.ts';
import { wordFor } from '../terms.ts';

export interface FactsOfFigure {
  readonly explained: LoanExplanation;
  readonly reversed: readonly ReceiptRow[];
  readonly on: string;
}

const maxActs = 50;

export function factSection(visit: Visit, facts: FactsOfFigure): Html {
  return html`<section>
    <h2>${visit.texts.explanation.facts}</h2>
    ${receiptTable(visit, facts.explained)} ${reversedTable(visit, facts.reversed)} ${actTable(visit, facts)}
  </section>`;
}

type ExplainedReceipt = LoanExplanation['receipts'][number];

function receiptTable(visit: Visit, { receipts, earlier_receipts: earlier, paid, loan }: LoanExplanation): Html {
  const { texts } = visit;
  const { explanation: words } = texts;
  const isMoreNow = loan.paid !== undefined && loan.paid.minor_units !== paid.minor_units;
  const now = isMoreNow && html`<p>${words.paidNow(formatMoney(texts, loan.paid))}</p>`;
  if (receipts.length === 0 && earlier.count === 0)
    return html`<h3>${words.receipts}</h3><p>${words.noReceipts}</p>${now}`;
  type Row = ExplainedReceipt | 'earlier' | 'total';
  const name = (row: Row): Content => {
    if (row === 'total') return words.total;
    if (row === 'earlier') return words.earlierReceipts(new Intl.NumberFormat(texts.locale).format(earlier.count));
    return evidenceLink(visit, ['receipts', row.reference], row.reference);
  };
  const settled = (row: Row): Content => {
    if (row === 'total') return html`<strong>${formatMoney(texts, paid)}</strong>`;
    return formatMoney(texts, row === 'earlier' ? earlier.settled : row.allocation.settled.total);
  };
  return html`<h3>${words.receipts}</h3>
    <p>${words.receiptsIntro}</p>
    ${table<Row>(
      words.receipts,
      [
        { title: words.receipt, cell: name },
        { title: words.valueDate, cell: (row) => typeof row === 'object' && formatDay(texts, row.value_date) },
        { title: words.lines, cell: (row) => typeof row === 'object' && settledLines(visit, row) },
        { title: words.settled, cell: settled, isNumber: true },
      ],
      [...receipts, ...(earlier.count === 0 ? [] : (['earlier'] as const)), 'total'],
    )}
    ${now}`;
}

function settledLines({ texts }: Visit, { allocation }: ExplainedReceipt): Content {
  const { explanation: words } = texts;
  const money = (amount: Money) => formatMoney(texts, amount);
  const lines = allocation.lines.map(({ period, charge, amount, tax }) => {
    const withTax = tax.minor_units === 0 ? money(amount) : words.withTax(money(amount), money(tax));
    return words.line(period, wordFor(words.charges, charge), withTax);
  });
  const early = allocation.early_principal;
  const all = [
    ...lines,
    ...(early === undefined ? [] : [words.earlyPrincipal(money(early))]),
    ...(allocation.discharged ? [words.discharged] : []),
  ];
  return all.map((line) => html`<div>${line}</div>`);
}

function reversedTable(visit: Visit, reversed: readonly ReceiptRow[]): Content {
  const { texts } = visit;
  const { explanation: words } = texts;
  if (reversed.length === 0) return null;
  return html`<h3>${words.reversed}</h3>
    <p>${words.reversedIntro}</p>
    ${table<ReceiptRow>(
      words.reversed,
      [
        { title: words.receipt, cell: ({ reference }) => evidenceLink(visit, ['receipts', reference], reference) },
        { title: words.valueDate, cell: ({ value_date }) => formatDay(texts, value_date) },
        { title: words.amount, cell: ({ amount }) => html`<s>${formatMoney(texts, amount)}</s>`, isNumber: true },
        { title: words.reversedOn, cell: ({ reversed_at: at }) => at && formatTimestamp(texts, at) },
        { title: words.reason, cell: ({ reversal }) => reversal && `${reversal.reason}: ${reversal.basis}` },
      ],
      reversed,
    )}`;
}

/** Newest first. */
function actTable(visit: Visit, { explained: { loan }, on }: FactsOfFigure): Html {
  const { texts } = visit;
  const { explanation: words } = texts;
  const acts = [...loan.events].reverse();
  const count = new Intl.NumberFormat(texts.locale);
  return html`<h3>${words.acts}</h3>
    ${acts.length > maxActs && html`<p>${words.actsRest(count.format(maxActs), count.format(acts.length))}</p>`}
    ${table<LoanEvent>(
      words.acts,
      [
        { title: words.day, cell: ({ occurred_on }) => formatDay(texts, occurred_on) },
        {
          title: words.act,
          cell: ({ kind, retraction }) => {
            const word = wordFor(words.events, kind);
            return retraction === undefined ? word : html`<s>${word}</s>`;
          },
        },
        { title: words.stated, cell: ({ stated }) => stated && statedMembers(visit, stated) },
        { title: words.account, cell: ({ act }) => act && html`${act.actor}<small class="parts">${act.basis}</small>` },
        { title: words.effect, cell: (event) => effectOf(visit, event, on) },
        {
          title: words.proof,
          cell: ({ id }) => id && evidenceLink(visit, ['loans', loan.id], words.proof, { event: id }),
        },
      ],
      acts.slice(0, maxActs),
    )}`;
}

function effectOf({ texts }: Visit, { occurred_on: day, retraction }: LoanEvent, on: string): Content {
  const { explanation: words } = texts;
  if (retraction !== undefined) {
    return words.retracted(formatDay(texts, retraction.on), retraction.actor, retraction.basis);
  }
  return day > on ? words.later : words.inForce;
}

/** What the act states beside its day: amounts as money, the rest as it was sent. */
function statedMembers({ texts }: Visit, stated: Readonly<Record<string, unknown>>): Content {
  const { fields } = texts.simulation;
  return Object.entries(stated).map(
    ([name, value]) => html`<div>${wordFor(fields, name)}: ${formatAsSent(texts, value)}</div>`,
  );
}

function evidenceLink(
  { tenantId = '' }: Visit,
  subject: readonly [kind: 'loans' | 'receipts', name: string],
  text: string,
  query: { readonly event?: string } = {},
): Html {
  const hash = query.event === undefined ? '' : `#event-${query.event}`;
  return html`<a href=${`${tenancyPath(tenantId, ['evidence', ...subject], query)}${hash}`}>${text}</a>`;
}
