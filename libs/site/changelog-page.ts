/** The changelog of the contract: each version, and each announced change under the anchor that its headers name. */
import type { BreakingEntry, Contract } from '#libs/api/contract-versions.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { type Content, html } from './html.ts';
import { inlineMarkdown, withoutMarks } from './markdown-text.ts';
import { guideUrl } from './navigation.ts';
import type { Page } from './page.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
}

const url = '/changelog';
const title = 'Changelog';
const description = 'What each version of the contract added, and every announced change with its day.';

export function changelogPage({ versions, entries }: Contract): Page {
  const changes = entries.filter((entry): entry is BreakingEntry => 'window' in entry);
  const sections = [
    ...versions.toReversed().map(({ version, changes: lines }) => ({ id: version, title: version, lines })),
    ...changes.map((entry) => ({
      id: entry.window.changelogAnchor,
      title: titleOf(entry),
      lines: [changeText(entry)],
    })),
  ];
  return {
    url,
    title,
    description,
    headings: sections.map(({ id, title: text }) => ({ id, text, level: 2 })),
    records: sections.map(({ id, title: text, lines }) => ({
      url: `${url}#${id}`,
      title: text,
      page: title,
      text: withoutMarks(lines.join(' ')),
    })),
    content: html`<div>
      <p class="lead">${description} A request states a version with <code>Contract-Version</code>: <a href=${guideUrl('versions')}>Versions</a>.</p>
      ${sections.map(sectionContent)}
    </div>`,
  };
}

function sectionContent({ id, title: heading, lines }: Section): Content {
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}><a class="anchor" href=${`#${id}`}>${heading}</a></h2>
    <ul>
      ${lines.map((line) => inlineMarkdown(line, 'li'))}
    </ul>
  </section>`;
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
