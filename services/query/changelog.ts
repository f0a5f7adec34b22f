/** What changed in the contract and what is on its way out, from the tables that decide it. */
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { Contract, Window } from '#libs/api/versions.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import { escaped, pageOutcome } from './pages/html.ts';
import { style } from './pages/style.ts';

export function changelog(contract: Contract): RouteHandlers {
  const page = pageOutcome({ title: 'Changelog', style, body: bodyOf(contract) });
  return { readChangelog: () => page };
}

function bodyOf({ versions, windows }: Contract): string {
  const newest = versions.toReversed().map(({ version, introduced }) => section(version, version, introduced));
  return [
    '<h1>Changelog</h1>',
    ...newest,
    ...windows.map((window) => section(window.entry, `On its way out: ${window.field}`, [saidOf(window)])),
  ].join('\n');
}

function section(id: string, title: string, lines: readonly string[]): string {
  const items = lines.map((line) => `<li>${escaped(line)}</li>`).join('');
  return `<section id="${escaped(id)}"><h2>${escaped(title)}</h2><ul>${items}</ul></section>`;
}

/** By the request that callers send: what the route is called here is no matter of theirs. */
function saidOf({ route, field, until }: Window): string {
  const { method, path } = routes[route as RouteName];
  return `${field} of ${method} ${path} is accepted and ignored until ${until} and refused from that day on.`;
}
