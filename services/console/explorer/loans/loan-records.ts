/** What was recorded of a Loan: events with their acts and retractions, Receipts that reached it, returns, quotes. */
import type { Loan, LoanEvent, PayoffQuote, Return } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from '../../amounts.ts';
import { bookPath } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { factLink, owedAmount, rawJson } from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import type { NewestQuotes } from '../../read-parts.ts';
import { table } from '../../table.ts';
import { tenancyPath } from '../../tenancy-path.ts';
import { wordFor } from '../../terms.ts';
import type { LoanFigures } from './read-loan.ts';

type ExplainedReceipt = LoanFigures['receipts']['receipts'][number];
const shownEvents = 50;

export function eventSection(visit: Visit, { events, terms, id }: Loan): Html {
  const { texts, tenantId = '' } = visit;
  const words = texts.explorer.loanEvents;
  const { history } = texts.explorer;
  const kind = (event: LoanEvent): Content => {
    const word = wordFor(texts.explorer.events, event.kind);
    return event.retraction === undefined ? word : html`<s>${word}</s>`;
  };
  const links = ({ recorded_at, retraction }: LoanEvent): Content => {
    const last = retraction?.recorded_at ?? recorded_at;
    if (recorded_at === undefined || last === undefined) return null;
    const changes = bookPath(visit, ['clients', terms.client_id, 'changes'], { fact_at: last });
    const knownThen = bookPath(visit, ['loans', id], { known_at: recorded_at });
    return html`<a href=${changes}>${history.changed}</a> · <a href=${knownThen}>${history.knownThen}</a>`;
  };
  return html`<section>
    <h2>${words.title}</h2>
    ${events.length > shownEvents && html`<p>${history.newest(shownEvents, events.length)}</p>`}
    ${table<LoanEvent>(
      words.title,
      [
        { title: words.kind, cell: kind },
        { title: words.occurredOn, cell: ({ occurred_on }) => formatDay(texts, occurred_on) },
        { title: words.recordedAt, cell: ({ recorded_at }) => recorded_at && formatTimestamp(texts, recorded_at) },
        { title: words.act, cell: (event) => actOf(visit, event) },
        { title: words.retraction, cell: (event) => retractionOf(visit, event) },
        { title: history.links, cell: links },
      ],
      events.slice(-shownEvents),
    )}
    <p><a href=${tenancyPath(tenantId, ['evidence', 'loans', id])}>${texts.explorer.evidence}</a></p>
  </section>`;
}

function actOf({ texts }: Visit, { id, act, stated }: LoanEvent): Content {
  if (act === undefined) return id && html`<small><code>${id}</code></small>`;
  return html`${act.reference}<small class="parts">${act.actor}: ${act.basis}</small>
    <small><code>${id}</code></small> ${rawJson(texts, { ...stated, ...(act.context === undefined ? {} : { context: act.context }) })}`;
}

function retractionOf({ texts }: Visit, { retraction }: LoanEvent): Content {
  if (retraction === undefined) return null;
  return html`<mark>${texts.explorer.loanEvents.retracted}</mark> ${formatDay(texts, retraction.on)}
    <small class="parts">${retraction.reference} · ${retraction.actor}: ${retraction.basis}</small>
    <small class="parts">${formatTimestamp(texts, retraction.recorded_at)}</small>`;
}

/** Newest first, with the lines that each settled. */
export function receivedSection(
  visit: Visit,
  { receipts, earlier_receipts: earlier }: LoanFigures['receipts'],
): Content {
  const { texts } = visit;
  const { loan: words, charges, receipts: receiptWords, schedule, statement } = texts.explorer;
  if (receipts.length === 0 && earlier.count === 0) return null;
  const settled = ({ allocation }: ExplainedReceipt): Content =>
    allocation.lines.map(({ period, charge, total }) => {
      const line = `${schedule.period} ${period} · ${wordFor(charges, charge)} ${formatMoney(texts, total)}`;
      return html`<div>${line}</div>`;
    });
  const count = new Intl.NumberFormat(texts.locale).format(earlier.count);
  return html`<section>
    <h2>${words.received}</h2>
    ${
      receipts.length > 0 &&
      table<ExplainedReceipt>(
        words.received,
        [
          {
            title: receiptWords.reference,
            cell: ({ reference }) => factLink(visit, { type: 'receipt', id: reference }),
          },
          { title: statement.day, cell: ({ value_date }) => formatDay(texts, value_date) },
          { title: schedule.settled, cell: settled },
          { title: statement.total, cell: (row) => formatMoney(texts, row.allocation.settled.total), isNumber: true },
        ],
        receipts,
      )
    }
    ${earlier.count > 0 && html`<p>${words.earlierReceipts(count, formatMoney(texts, earlier.settled))}</p>`}
  </section>`;
}

export function returnSection({ texts }: Visit, returns: readonly Return[]): Content {
  const words = texts.explorer.returns;
  if (returns.length === 0) return null;
  return html`<section>
    <h2>${words.title}</h2>
    ${table<Return>(
      words.title,
      [
        { title: words.act, cell: ({ act }) => act },
        { title: words.on, cell: ({ on }) => formatDay(texts, on) },
        { title: words.amount, cell: ({ amount }) => formatMoney(texts, amount), isNumber: true },
        { title: words.unwound, cell: (row) => formatMoney(texts, row.unwound_principal), isNumber: true },
        { title: words.principalBack, cell: (row) => formatMoney(texts, row.principal_owed_back), isNumber: true },
        { title: words.interestBack, cell: (row) => formatMoney(texts, row.interest_owed_back), isNumber: true },
        { title: words.stillOwed, cell: ({ still_owed }) => owedAmount(texts, still_owed), isNumber: true },
        { title: words.beyond, cell: (row) => formatMoney(texts, row.beyond_the_loan), isNumber: true },
      ],
      returns,
    )}
  </section>`;
}

export function quoteSection({ texts }: Visit, { quotes, hasMore }: NewestQuotes): Content {
  const words = texts.explorer.quotes;
  if (quotes.length === 0) return null;
  return html`<section>
    <h2>${words.title}</h2>
    ${hasMore && html`<p>${words.newest(quotes.length)}</p>`}
    ${table<PayoffQuote>(
      words.title,
      [
        { title: words.id, cell: ({ id }) => html`<code>${id}</code>` },
        { title: words.on, cell: ({ on }) => formatDay(texts, on) },
        { title: words.owed, cell: ({ owed }) => owedAmount(texts, owed), isNumber: true },
        { title: words.quotedAt, cell: ({ quoted_at }) => formatTimestamp(texts, quoted_at) },
        { title: words.by, cell: ({ actor, basis }) => `${actor}: ${basis}` },
      ],
      quotes,
    )}
  </section>`;
}
