/** What changed in the contract and what is on its way out, from the tables that decide it. */
import type { Contract, Window } from '#libs/contract/versions.ts';
import type { Handlers } from '#libs/door/handler.ts';

export function changelog(contract: Contract): Handlers {
  const text = pageOf(contract);
  return { readChangelog: () => ({ status: 200, type: 'text/html; charset=utf-8', text }) };
}

function pageOf({ versions, windows }: Contract): string {
  const newest = versions.toReversed().map(({ version, introduced }) => section(version, version, introduced));
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>Changelog</title></head><body>',
    '<h1>Changelog</h1>',
    ...newest,
    ...windows.map((window) => section(window.entry, `On its way out: ${window.field}`, [saidOf(window)])),
    '</body></html>',
    '',
  ].join('\n');
}

function section(id: string, title: string, lines: readonly string[]): string {
  const items = lines.map((line) => `<li>${escaped(line)}</li>`).join('');
  return `<section id="${escaped(id)}"><h2>${escaped(title)}</h2><ul>${items}</ul></section>`;
}

function saidOf({ route, field, until }: Window): string {
  return `${field} of ${route} is accepted until ${until} and refused from that day on.`;
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string);
}
