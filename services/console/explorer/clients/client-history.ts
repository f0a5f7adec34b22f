/** What was recorded about a Client, newest first: each fact with the page as it was known then, and what it changed. */
import type { ClientBook } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay } from '../../amounts.ts';
import { bookPath } from '../../clocks.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { factLink, loanLink } from '../../figures.ts';
import { type Content, type Html, html } from '../../html.ts';
import { table } from '../../table.ts';
import { wordFor } from '../../terms.ts';

interface RecordedFactRow {
  readonly recordedAt: string;
  readonly kind: string;
  readonly about: string;
  readonly subject: (visit: Visit) => Content;
  readonly by?: string | undefined;
}

const shownFacts = 50;

export function historySection(visit: Visit, book: ClientBook): Content {
  const { texts } = visit;
  const words = texts.explorer.history;
  const facts = recordedFacts(book).sort((a, b) => (a.recordedAt < b.recordedAt ? 1 : -1));
  if (facts.length === 0) return null;
  const client = ['clients', book.client_id];
  const links = ({ recordedAt }: RecordedFactRow): Html => {
    const changed = bookPath(visit, [...client, 'changes'], { fact_at: recordedAt });
    const known = bookPath(visit, client, { known_at: recordedAt });
    return html`<a href=${changed}>${words.changed}</a> · <a href=${known}>${words.knownThen}</a>`;
  };
  return html`<section>
    <h2>${words.title}</h2>
    ${facts.length > shownFacts && html`<p>${words.newest(shownFacts, facts.length)}</p>`}
    ${table<RecordedFactRow>(
      words.title,
      [
        { title: words.recordedAt, cell: ({ recordedAt }) => formatTimestamp(texts, recordedAt) },
        { title: words.fact, cell: ({ kind }) => wordFor(texts.explorer.events, kind) },
        { title: words.about, cell: ({ about }) => formatDay(texts, about) },
        { title: words.subject, cell: ({ subject }) => subject(visit) },
        { title: words.by, cell: ({ by }) => by },
        { title: words.links, cell: links },
      ],
      facts.slice(0, shownFacts),
    )}
  </section>`;
}

function recordedFacts({ loans, receipts }: ClientBook): RecordedFactRow[] {
  const ofLoans = loans.flatMap(({ loan: { id, terms, events } }) => {
    const subject = (visit: Visit): Content => loanLink(visit, { loanId: id, reference: terms.reference });
    return events.flatMap(({ kind, occurred_on, recorded_at, act, retraction }): RecordedFactRow[] => [
      ...(recorded_at === undefined
        ? []
        : [{ recordedAt: recorded_at, kind, about: occurred_on, subject, by: act?.actor }]),
      ...(retraction === undefined
        ? []
        : [
            {
              recordedAt: retraction.recorded_at,
              kind: 'retraction',
              about: retraction.on,
              subject,
              by: retraction.actor,
            },
          ]),
    ]);
  });
  const ofReceipts = receipts.flatMap(({ reference, reported_at, value_date, reversed_at, reversal }) => {
    const subject = (visit: Visit): Content => factLink(visit, { type: 'receipt', id: reference });
    const row = { about: value_date, subject };
    return [
      { ...row, recordedAt: reported_at, kind: 'receipt' },
      ...(reversed_at === undefined
        ? []
        : [{ ...row, recordedAt: reversed_at, kind: 'reversal', by: reversal?.actor }]),
    ];
  });
  return [...ofLoans, ...ofReceipts];
}
