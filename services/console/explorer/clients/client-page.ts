/** The page of a Client. */
import type { Statement } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import { clockForm, clockSentence } from '../../clock-form.ts';
import { bookPath, type Clocks } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { anomalySection, fieldList, pageLinks, rawJson } from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import { balanceSeries, type DayAmount } from '../balance.ts';
import { plot } from '../plot.ts';
import { lastDay } from '../statement-range.ts';
import { historySection } from './client-history.ts';
import { listedLoans, loansOnDay } from './client-loans.ts';
import { barText, facilityTable, obligationSummary, receiptTable } from './client-records.ts';
import type { ClientView, LargeBook } from './read-client.ts';

const shownReceipts = 10;
const shownFacilities = 10;

export function clientPage(visit: Visit, clocks: Clocks, view: ClientView, cursor: string): Content {
  const { registration, book } = view;
  const clientId = registration.client_id;
  const about = overview(visit, view);
  const body =
    'whole' in book
      ? wholeBook(visit, book, about)
      : largeBook(visit, clocks, clientId, { ...book.large, cursor, about });
  const ofNow = visit.texts.explorer.client.largeOfNow;
  const sentence = clockSentence(visit, clocks, 'whole' in book ? {} : { ofNow });
  return [clientLinks(visit, clientId), clockForm(visit, clocks), sentence, body];
}

function clientLinks(visit: Visit, clientId: string): Html {
  const words = visit.texts.explorer.client;
  const to = (page: string): string => bookPath(visit, ['clients', clientId, page]);
  return html`<nav class="page-links" aria-label=${words.pages}>
    <a href=${bookPath(visit, ['clients', clientId, 'statement'], lastDay(visit))}>${words.statement}</a>
    <a href=${to('receipts')}>${words.receipts}</a>
    <a href=${to('changes')}>${words.changes}</a>
    <a href=${to('simulation')}>${words.simulation}</a>
  </nav>`;
}

function overview(visit: Visit, { registration, version, book }: ClientView): Html {
  const { texts } = visit;
  const words = texts.explorer.client;
  const { bar, obligations } = 'whole' in book ? book.whole : book.large;
  const known = 'whole' in book ? book.whole.book_version : version;
  return html`<div class="cards">
    <article>
      <h2>${words.registration}</h2>
      ${fieldList([
        [words.registeredAt, formatTimestamp(texts, registration.created_at)],
        [words.actor, registration.actor],
        [words.basis, registration.basis],
      ])}
      ${rawJson(texts, registration.context)}
    </article>
    <article>
      <h2>${words.book}</h2>
      ${fieldList([
        [words.facts, new Intl.NumberFormat(texts.locale).format(known.facts)],
        [words.lastFact, known.version && formatTimestamp(texts, known.version)],
        [words.bar, barText(visit, bar)],
      ])}
    </article>
    <article>
      <h2>${texts.explorer.obligations.title}</h2>
      ${obligationSummary(visit, obligations)}
    </article>
  </div>`;
}

type WholeBook = Extract<ClientView['book'], { whole: unknown }>;

/** What is owed comes first: it is what most readers look for. */
function wholeBook(visit: Visit, { whole, statement }: WholeBook, about: Html): Content {
  const { texts } = visit;
  const { loans, receipts, facilities, anomalies, client_id: clientId } = whole;
  return [
    html`<section>
      <h2>${texts.explorer.loans.title}</h2>
      ${loans.length > 1 && statement && owedByAll(visit, statement)}
      ${loans.length === 0 ? html`<p>${texts.explorer.loans.none}</p>` : loansOnDay(visit, clientId, loans)}
      ${loans.length > 0 && html`<p><small>${texts.explorer.loans.notOfDay}</small></p>`}
    </section>`,
    about,
    statement && balancePlots(visit, statement),
    receiptSection(visit, clientId, receipts.slice(0, shownReceipts), receipts.length > shownReceipts),
    facilitySection(visit, clientId, facilities, false),
    anomalySection(visit, anomalies),
    historySection(visit, whole),
  ];
}

/** As the statement to the day sums it up; in each currency. */
function owedByAll({ texts }: Visit, { currencies }: Statement): Content {
  return currencies.map(
    ({ closing }) =>
      html`<p>${texts.explorer.loans.owedByAll} <strong class="amount">${formatMoney(texts, closing)}</strong></p>`,
  );
}

/** One plot for each currency: amounts of different currencies are not added. */
function balancePlots(visit: Visit, { loans, currencies }: Statement): Content {
  const { texts } = visit;
  const words = texts.explorer.plots;
  return currencies.map(({ currency, opening, closing }) => {
    const statements = loans.filter((loan) => loan.currency === currency);
    const [{ from, to } = { from: '', to: '' }] = statements;
    const lines = statements.flatMap((loan) => loan.lines);
    const rows = balanceSeries({ from, to, opening, closing }, lines);
    return plot<DayAmount>(visit, {
      title: `${words.balance} (${currency})`,
      note: words.balanceNote,
      kind: 'steps',
      rows,
      currency,
      day: ({ day }) => day,
      series: [{ label: words.owed, value: ({ amount }) => amount.minor_units }],
      columns: [
        { title: words.day, cell: ({ day }) => formatDay(texts, day) },
        { title: words.owed, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
      ],
    });
  });
}

function largeBook(
  visit: Visit,
  clocks: Clocks,
  clientId: string,
  {
    loans,
    receipts,
    facilities,
    hasMoreFacilities,
    cursor,
    about,
  }: LargeBook & { readonly cursor: string; readonly about: Html },
): Content {
  const { texts } = visit;
  const words = texts.explorer.client;
  return [
    html`<p class="notice" role="note">${words.large} ${clocks.knownAt !== undefined && words.largeKnowledge}</p>`,
    html`<section>
      <h2>${texts.explorer.loans.title}</h2>
      ${listedLoans(visit, loans.loans)}
      ${pageLinks(visit, {}, { cursor: loans.cursor, isFirst: cursor === '' })}
    </section>`,
    about,
    receiptSection(visit, clientId, receipts.receipts, receipts.cursor !== undefined),
    facilitySection(visit, clientId, facilities, hasMoreFacilities),
  ];
}

type FacilityRows = Parameters<typeof facilityTable>[1];

function facilitySection(visit: Visit, clientId: string, facilities: FacilityRows, hasMore: boolean): Content {
  if (facilities.length === 0) return null;
  const words = visit.texts.explorer.facilities;
  const all = bookPath(visit, ['clients', clientId, 'facilities']);
  return html`<section>
    <h2>${words.title}</h2>
    ${facilityTable(visit, facilities.slice(0, shownFacilities))}
    ${(hasMore || facilities.length > shownFacilities) && html`<p><a href=${all}>${words.all}</a></p>`}
  </section>`;
}

type ReceiptRows = Parameters<typeof receiptTable>[1];

function receiptSection(visit: Visit, clientId: string, receipts: ReceiptRows, hasMore: boolean): Html {
  const { texts } = visit;
  const words = texts.explorer.receipts;
  const all = bookPath(visit, ['clients', clientId, 'receipts']);
  return html`<section>
    <h2>${words.title}</h2>
    ${receipts.length === 0 ? html`<p>${words.none}</p>` : receiptTable(visit, receipts)}
    ${hasMore && html`<p><a href=${all}>${words.all}</a></p>`}
  </section>`;
}
