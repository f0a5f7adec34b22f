/** The objects of requests and answers: a page for those of each resource, and an index of all names. */
import { type Html, html } from '../html.ts';
import { inlineMarkdown } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { schemas } from './api-document.ts';
import { objectGroups, objectGroupUrl, objectsUrl, objectUrl } from './object-groups.ts';
import { schemaFields, searchWords, typeText } from './schema-fields.ts';

type ObjectGroup = (typeof objectGroups)[number];

const title = 'Objects';
const description =
  'The objects of requests and answers, by name. Members that are not marked as required may be absent.';

export function objectPages(): readonly Page[] {
  return [objectIndex(), ...objectGroups.map(groupPage)];
}

/** All objects were sections of this page once, so each name has its anchor here; the script opens the page it is on. */
function objectIndex(): Page {
  return {
    url: objectsUrl,
    title,
    description,
    headings: [],
    records: [{ url: objectsUrl, title, page: 'API reference', text: description }],
    content: html`<div>
      <p class="lead">${description}</p>
      <div class="link-index">
        ${objectGroups.map(
          (group) => html`<section>
            <h2><a href=${objectGroupUrl(group)}>${group.title}</a></h2>
            <ul>
              ${group.names.map((name) => html`<li id=${name} data-moved><a href=${objectUrl(name)}>${name}</a></li>`)}
            </ul>
          </section>`,
        )}
      </div>
    </div>`,
  };
}

function groupPage(group: ObjectGroup): Page {
  const { names, slug } = group;
  const url = objectGroupUrl(group);
  const groupTitle = `${title}: ${group.title}`;
  const lead = slug === 'shared' ? sharedLead() : ofResource(group);
  return {
    url,
    title: groupTitle,
    description: `${groupTitle}. ${description}`,
    headings: names.map((name) => ({ id: name, text: name, level: 2 })),
    records: names.map((name) => ({
      url: objectUrl(name),
      title: name,
      page: title,
      text: `${String(schemas[name]?.['description'] ?? '')} ${searchWords(schemas[name] ?? {}).join(' ')}`,
    })),
    content: html`<div>
      <p class="lead">${lead} Members that are not marked as required may be absent.</p>
      ${names.map(objectSection)}
    </div>`,
  };
}

function sharedLead(): Html {
  return html`Objects that the operations of many resources use. <a href=${objectsUrl}>All objects</a> lists the others.`;
}

function ofResource({ slug, title: resource }: ObjectGroup): Html {
  return html`Objects that the operations of <a href=${`/docs/reference/${slug}`}>${resource}</a> use. <a href=${objectsUrl}>All objects</a> lists the others.`;
}

function objectSection(name: string): Html {
  const schema = schemas[name] ?? {};
  const { description: text } = schema;
  return html`<section aria-labelledby=${name}>
    <h2 id=${name}><a class="anchor" href=${`#${name}`}>${name}</a></h2>
    ${typeof text === 'string' ? inlineMarkdown(text, 'p') : null}
    ${schema['properties'] === undefined ? html`<p class="field-type">${typeText(schema)}</p>` : schemaFields(schema, 2)}
  </section>`;
}
