/** The list of Tenancies, and the page of one. */
import type { Bounds } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../console-context.ts';
import { formatInstant } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { table } from '../table.ts';
import type { ListedTenancy, TenancyPage } from './tenancy-list.ts';

export function tenancyList({ texts }: Visit, { tenancies, next }: TenancyPage): Html {
  const { tenancies: words } = texts;
  if (tenancies.length === 0) return html`<p>${words.empty}</p>`;
  const rows = table<ListedTenancy>(
    words.title,
    [
      { title: words.id, cell: ({ tenant_id }) => html`<a href=${`/tenancies/${tenant_id}`}>${tenant_id}</a>` },
      { title: words.name, cell: ({ name }) => name },
      { title: words.kind, cell: ({ live }) => (live ? words.live : words.test) },
      { title: words.market, cell: ({ jurisdiction }) => jurisdiction },
      { title: words.timeZone, cell: ({ time_zone }) => time_zone },
      { title: words.openedAt, cell: ({ created_at }) => formatInstant(texts, created_at) },
    ],
    tenancies,
  );
  const more = next && html`<p><a href=${`/tenancies?after=${encodeURIComponent(next)}`}>${texts.next}</a></p>`;
  return html`<div>${rows}${more}</div>`;
}

/** The bounds in force, as the API states them. */
export function tenancyOverview({ texts }: Visit, bounds: Bounds): Html {
  const words = texts.tenancies;
  return html`<section>
    <h2>${words.bounds}</h2>
    <dl class="fields">
      <dt>${words.concurrent}</dt>
      <dd>${bounds.concurrent}</dd>
      <dt>${words.patience}</dt>
      <dd>${bounds.patience_ms} ms</dd>
      <dt>${words.perSecond}</dt>
      <dd>${bounds.per_second}</dd>
      <dt>${words.burst}</dt>
      <dd>${bounds.burst}</dd>
    </dl>
  </section>`;
}
