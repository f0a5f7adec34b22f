/** The audit list: a search form and a table. */
import { type AdministrationFactFilter, examinedFacts } from '#libs/database/administration-facts.ts';
import type { Visit } from '../console-context.ts';
import { formatMoment } from '../dates.ts';
import { choice, field } from '../form.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { wordFor } from '../terms.ts';
import { actOrigin, actValue } from './act-values.ts';
import type { ActPage, RecordedAct } from './read-acts.ts';

export interface ShownActs extends ActPage {
  readonly isFirst: boolean;
}

export function auditList({ texts, path }: Visit, filter: AdministrationFactFilter, page: ShownActs): Html {
  const { acts, next } = page;
  const words = texts.auditList;
  const actions = Object.entries(words.actions).map(([value, text]) => ({ value, text }));
  const actionText = (action: string): string => (words.actions as Readonly<Record<string, string>>)[action] ?? action;
  const search = new URLSearchParams({ ...filter });
  const more = next === undefined ? undefined : `${path}?${search}&before=${next}`;
  const rows = table<RecordedAct>(
    words.title,
    [
      { title: words.moment, cell: ({ recordedAt }) => formatMoment(texts, recordedAt) },
      { title: words.actor, cell: ({ actor }) => actor },
      { title: words.from, cell: ({ from }) => actOrigin(texts, from) },
      { title: words.action, cell: ({ action }) => actionText(action) },
      { title: words.subject, cell: ({ subject }) => wordFor(words.subjects, subject) },
      { title: words.before, cell: ({ action, before }) => actValue(texts, action, before) },
      { title: words.after, cell: ({ action, after }) => actValue(texts, action, after) },
    ],
    acts,
  );
  return html`<div>
    <form method="get">
      <div class="grid">
        ${field({ name: 'person', label: words.person, value: filter.person, required: false })}
        ${choice('action', words.action, [{ value: '', text: words.all }, ...actions], filter.action)}
        ${field({ name: 'day', label: words.day, type: 'date', value: filter.day, required: false })}
      </div>
      <button class="secondary">${words.search}</button>
    </form>
    ${acts.length === 0 ? html`<p role="status">${nothingFound(texts, page)}</p>` : rows}
    ${more && html`<p><a href=${more}>${texts.next}</a></p>`}
    <p><a href=${`${path}.csv?${search}`}>${texts.downloadCsv}</a></p>
  </div>`;
}

function nothingFound({ auditList: words, locale }: Visit['texts'], { next, isFirst }: ShownActs): string {
  if (next === undefined) return words.nothing;
  const count = new Intl.NumberFormat(locale).format(examinedFacts);
  return isFirst ? words.nothingYet(count) : words.nothingInPart(count);
}
