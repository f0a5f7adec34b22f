/** The search box with what it found, and the Clients of a Tenancy by page. */
import type { Client, ClientPage } from '#libs/sdk/src/contract/shapes.ts';
import type { Visit } from '../../console-context.ts';
import { formatTimestamp } from '../../dates.ts';
import { clientLink, pageLinks } from '../../figures.ts';
import { field } from '../../form.ts';
import { type Content, type Html, html } from '../../html.ts';
import { table } from '../../table.ts';
import { type FoundRecord, pathOfRecord } from './find-by-name.ts';

export interface Search {
  /** Empty where nothing was searched for. */
  readonly name: string;
  readonly found: readonly FoundRecord[];
}

export function clientListPage(visit: Visit, search: Search, page: ClientPage, isFirst: boolean): Html {
  const { texts } = visit;
  const words = texts.explorer.clients;
  return html`<div>
    ${searchForm(visit, search.name)} ${search.name !== '' && searchResult(visit, search)}
    <section>
      <h2>${words.newest}</h2>
      ${page.clients.length === 0 ? html`<p>${words.none}</p>` : clientTable(visit, page.clients)}
      ${pageLinks(visit, {}, { cursor: page.cursor, isFirst })}
    </section>
  </div>`;
}

function searchForm({ texts, path }: Visit, name: string): Html {
  const words = texts.explorer.clients;
  return html`<search><form method="get" action=${path} class="search">
    ${field({ name: 'q', label: words.search, type: 'search', value: name, hint: words.searchHint })}
    <button>${words.find}</button>
  </form></search>`;
}

function searchResult({ texts, tenantId = '' }: Visit, { name, found }: Search): Html {
  const words = texts.explorer.clients;
  if (found.length === 0) return html`<p role="status" class="notice">${words.notFound(name)}</p>`;
  const text = (record: FoundRecord): string => {
    if (record.kind === 'act') return `${record.id} · ${words.kinds.client} ${record.clientId}`;
    return record.kind === 'loan' ? record.name : record.id;
  };
  return html`<section role="status">
    <h2>${words.found(found.length)}</h2>
    <ul>
      ${found.map(
        (record) =>
          html`<li>${words.kinds[record.kind]} <a href=${pathOfRecord(tenantId, record)}>${text(record)}</a></li>`,
      )}
    </ul>
  </section>`;
}

function clientTable(visit: Visit, clients: readonly Client[]): Content {
  const { texts } = visit;
  const words = texts.explorer.clients;
  return table<Client>(
    words.newest,
    [
      { title: words.id, cell: ({ client_id }) => clientLink(visit, client_id) },
      { title: words.registeredAt, cell: ({ created_at }) => formatTimestamp(texts, created_at) },
      { title: words.actor, cell: ({ actor }) => actor },
      { title: words.basis, cell: ({ basis }) => basis },
    ],
    clients,
  );
}
