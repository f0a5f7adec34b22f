/** The API description: as OpenAPI for programs and as a page for people. Rendered once, when the service starts. */

import type { Contract, Deprecation } from '#libs/api/contract-versions.ts';
import { openApi } from '#libs/api/openapi/document.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { escapeHtml, htmlResponse } from './html.ts';
import { renderReference } from './reference.ts';

export function documentPages(): RouteHandlers {
  const page = htmlResponse({ title: 'Lending API reference', body: renderReference(openApi) });
  const text = JSON.stringify(openApi);
  return {
    readOpenApi: () => ({ status: 200, text }),
    readDocs: () => page,
  };
}

export function changelogPage(contract: Contract): RouteHandlers {
  const page = htmlResponse({ title: 'Changelog', body: changelogBody(contract) });
  return { readChangelog: () => page };
}

function changelogBody({ versions, deprecations }: Contract): string {
  const newestFirst = versions.toReversed();
  return [
    '<h1>Changelog</h1>',
    ...newestFirst.map(({ version, changes }) => section(version, version, changes)),
    ...deprecations.map((deprecation) =>
      section(deprecation.changelogAnchor, `Deprecated: ${deprecation.field}`, [deprecationText(deprecation)]),
    ),
  ].join('\n');
}

function section(id: string, title: string, lines: readonly string[]): string {
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return `<section id="${escapeHtml(id)}"><h2>${escapeHtml(title)}</h2><ul>${items}</ul></section>`;
}

/** Names the request by method and path, as callers know it. */
function deprecationText({ route, field, refusedFrom }: Deprecation): string {
  const { method, path } = routes[route as RouteName];
  return `${field} of ${method} ${path} is accepted and ignored before ${refusedFrom} and refused from that day on.`;
}
