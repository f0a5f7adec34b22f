/** The search form of the request log, and the requests that were found. */

import type { LoggedRequest, LoggedRequestPage } from '#libs/sdk/src/contract/shapes.ts';
import { RefusalError } from '#libs/sdk/src/errors.ts';
import type { KeyListing } from '#libs/submission/administration-reads.ts';
import type { Visit } from '../console-context.ts';
import { formatPreciseTimestamp } from '../dates.ts';
import { choice, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { refusalText } from '../refusal-text.ts';
import { table } from '../table.ts';
import { tenancyPath } from '../tenancy-path.ts';

/** The parameters of `listRequests`. */
export const filterNames = [
  'target',
  'status',
  'method',
  'route',
  'code',
  'fp',
  'day',
  'request_id',
  'caller_request_id',
] as const;

export type RequestFilter = { readonly [Name in (typeof filterNames)[number]]?: string };

export interface FoundRequests {
  readonly filter: RequestFilter;
  readonly found: LoggedRequestPage | RefusalError;
  readonly keys: readonly KeyListing[];
  readonly isFirst: boolean;
}

export function requestList(visit: Visit, { filter, found, keys, isFirst }: FoundRequests): Html {
  const { texts, tenantId = '' } = visit;
  const problems = found instanceof RefusalError ? [refusalText(texts, found)] : [];
  return html`<div>
    <p>${texts.requestLog.intro}</p>
    <p>${texts.requestLog.unsigned} <a href=${tenancyPath(tenantId, ['signature'])}>${texts.navigation.signature}</a></p>
    ${errorList(problems)} ${searchForm(visit, filter, keys)}
    ${!(found instanceof RefusalError) && foundRequests(visit, { filter, page: found, keys, isFirst })}
  </div>`;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

function searchForm({ texts }: Visit, filter: RequestFilter, keys: readonly KeyListing[]): Html {
  const words = texts.requestLog;
  const input = (name: 'target' | 'status' | 'route' | 'code' | 'day' | 'request_id' | 'caller_request_id') =>
    field({
      name,
      label: words.filters[name],
      value: filter[name],
      required: false,
      type: name === 'day' ? 'date' : 'text',
    });
  const any = { value: '', text: words.any };
  const keyChoices = keys.map(({ fp, label }) => ({ value: fp, text: `${label} (${fp.slice(0, 8)}…)` }));
  const methodChoices = methods.map((method) => ({ value: method, text: method }));
  const hasMore =
    filter.route !== undefined || filter.request_id !== undefined || filter.caller_request_id !== undefined;
  return html`<form method="get" class="request-search">
    <div class="grid">
      ${input('target')} ${input('status')} ${choice('method', words.method, [any, ...methodChoices], filter.method)}
    </div>
    <div class="grid">
      ${input('code')} ${choice('fp', words.key, [any, ...keyChoices], filter.fp)} ${input('day')}
    </div>
    <details open=${hasMore}>
      <summary>${words.moreFilters}</summary>
      <div class="grid">${input('route')} ${input('request_id')} ${input('caller_request_id')}</div>
    </details>
    <button class="secondary">${words.search}</button>
  </form>`;
}

interface FoundPage extends Pick<FoundRequests, 'filter' | 'keys' | 'isFirst'> {
  readonly page: LoggedRequestPage;
}

function foundRequests(visit: Visit, { filter, page, keys, isFirst }: FoundPage): Content {
  const { texts, path } = visit;
  const words = texts.requestLog;
  const { requests, cursor } = page;
  const labels = new Map(keys.map(({ fp, label }) => [fp, label]));
  const number = new Intl.NumberFormat(texts.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const search = new URLSearchParams({ ...filter });
  const rows = table<LoggedRequest>(
    words.title,
    [
      {
        title: words.receivedAt,
        cell: ({ request_id, received_at }) =>
          html`<a href=${`${path}/${encodeURIComponent(request_id)}`}>${formatPreciseTimestamp(texts, received_at)}</a>`,
      },
      { title: words.status, cell: (request) => statusBadge(request) },
      { title: words.method, cell: ({ method }) => method },
      { title: words.target, cell: ({ target, route }) => html`<code>${target ?? route}</code>` },
      { title: words.duration, cell: ({ duration_us }) => number.format(duration_us / 1_000), isNumber: true },
      { title: words.key, cell: ({ fp }) => labels.get(fp) ?? fp },
    ],
    requests,
  );
  return html`<div class="found-requests">
    ${requests.length === 0 ? html`<p>${cursor === undefined ? words.nothing : words.nothingYet}</p>` : rows}
    <p class="pages">
      ${!isFirst && html`<a href=${`${path}?${search}`}>${texts.first}</a>`}
      ${cursor && html`<a href=${`${path}?${withCursor(search, cursor)}`}>${words.older}</a>`}
    </p>
  </div>`;
}

function withCursor(search: URLSearchParams, cursor: string): URLSearchParams {
  return new URLSearchParams([...search, ['cursor', cursor]]);
}

export function statusBadge({ status, code }: LoggedRequest): Html {
  const kind = status < 400 ? 'good' : status < 500 ? 'refused' : 'failed';
  return html`<span class=${`status status-${kind}`}>${status}${code && html` <span>${code}</span>`}</span>`;
}
