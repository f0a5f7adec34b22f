/** The pages that need no key: the OpenAPI document, the documentation and the changelog. */

import type { BreakingEntry, Contract } from '#libs/api/contract-versions.ts';
import { openApi } from '#libs/api/openapi/document.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { documentationHandler } from './documentation.ts';
import { escapeHtml, htmlHandler } from './html.ts';
import { staticHandler } from './static-content.ts';

export function documentPages(): RouteHandlers {
  return {
    readOpenApi: staticHandler(JSON.stringify(openApi)),
    readDocs: documentationHandler(),
  };
}

export function changelogPage(contract: Contract): RouteHandlers {
  return { readChangelog: htmlHandler({ title: 'Changelog', body: changelogBody(contract) }) };
}

function changelogBody({ versions, entries }: Contract): string {
  const newestFirst = versions.toReversed();
  const changes = entries.filter((entry): entry is BreakingEntry => 'window' in entry);
  return [
    '<h1>Changelog</h1>',
    ...newestFirst.map(({ version, changes }) => section(version, version, changes)),
    ...changes.map((entry) => section(entry.window.changelogAnchor, titleOf(entry), [changeText(entry)])),
  ].join('\n');
}

function section(id: string, title: string, lines: readonly string[]): string {
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return `<section id="${escapeHtml(id)}"><h2>${escapeHtml(title)}</h2><ul>${items}</ul></section>`;
}

function titleOf(entry: BreakingEntry): string {
  const isRemoval = entry.kind !== 'meaning' && !(entry.kind === 'request_field' && entry.change === 'required');
  return `${isRemoval ? 'Deprecated' : 'Changes'}: ${nameOf(entry)}`;
}

function nameOf(entry: BreakingEntry): string {
  if (entry.kind === 'route') return routeText(entry.route);
  return entry.kind === 'query_parameter' ? entry.parameter : entry.field;
}

/** Names the request by method and path, as callers know it. */
function routeText(name: RouteName): string {
  const { method, path } = routes[name];
  return `${method} ${path}`;
}

function changeText(entry: BreakingEntry): string {
  const { endsOn } = entry.window;
  const place = entry.kind === 'route' ? routeText(entry.route) : `${nameOf(entry)} of ${routeText(entry.route)}`;
  switch (entry.kind) {
    case 'route':
      return `${place} is served before ${endsOn} and unknown from that day on.`;
    case 'query_parameter':
      return `${place} is read before ${endsOn} and refused from that day on.`;
    case 'request_field':
      return entry.change === 'required'
        ? `${place} is optional before ${endsOn} and required from that day on.`
        : `${place} is accepted and ignored before ${endsOn} and refused from that day on.`;
    case 'answer_field':
      return `${place} is answered before ${endsOn} and absent from that day on.`;
    case 'meaning':
      return `${place} keeps its meaning before ${endsOn} and changes it on that day.`;
  }
}
