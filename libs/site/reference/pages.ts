/** The pages of the reference: one per resource, the errors, and the objects. */
import type { RouteName } from '#libs/api/routes.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { html } from '../html.ts';
import { inlineMarkdown, withoutMarks } from '../markdown-text.ts';
import type { Page, SearchRecord } from '../page.ts';
import { type ReferenceOperation, referenceOperations, schemas } from './api-document.ts';
import { errorsPage } from './errors-page.ts';
import { operationSection } from './operation.ts';
import { type Resource, resources } from './resources.ts';
import { memberNames, resolved, schemaFields, typeText } from './schema-fields.ts';

export function referencePages(): readonly Page[] {
  const operations = referenceOperations();
  const commonCodes = codesOfEveryRequest([...operations.values()]);
  return [
    ...resources.map((resource) => resourcePage(resource, operations, commonCodes)),
    errorsPage([...operations.values()], commonCodes),
    objectsPage(),
  ];
}

/** The codes that every route with a key has. */
function codesOfEveryRequest(operations: readonly ReferenceOperation[]): ReadonlySet<RefusalCode> {
  const signed = operations.filter(({ path }) => path.startsWith('/v1/tenants/'));
  const [first, ...others] = signed.map(({ refusals }) => refusals);
  return new Set(first?.filter((code) => others.every((codes) => codes.includes(code))));
}

function resourcePage(
  { slug, title, introduction, operations: names }: Resource,
  operations: ReadonlyMap<RouteName, ReferenceOperation>,
  commonCodes: ReadonlySet<RefusalCode>,
): Page {
  const url = `/docs/reference/${slug}`;
  const shown = names.map((name) => operations.get(name)).filter((each) => each !== undefined);
  return {
    url,
    title,
    description: withoutMarks(introduction),
    isWide: true,
    headings: shown.map(({ name, summary }) => ({ id: name, text: summary, level: 2 })),
    records: [
      { url, title, page: 'API reference', text: withoutMarks(introduction) },
      ...shown.map((each) => recordOf(url, title, each)),
    ],
    content: html`<div>
      <p class="lead">${inlineMarkdown(introduction)}</p>
      <ul class="endpoints">
        ${shown.map(
          ({ name, method, path, summary }) =>
            html`<li><a href=${`#${name}`}><span class=${`method method-${method.toLowerCase()}`}>${method}</span> <span class="endpoint-summary">${summary}</span> <code>${path.replace('/v1/tenants/{tenant_id}', '')}</code></a></li>`,
        )}
      </ul>
      ${shown.map((operation, index) => {
        const first = shown.findIndex((each) => JSON.stringify(each.answer) === JSON.stringify(operation.answer));
        return operationSection(operation, { commonCodes, showsMembers: first === index });
      })}
    </div>`,
  };
}

function recordOf(
  url: string,
  page: string,
  { name, method, path, summary, description, body }: ReferenceOperation,
): SearchRecord {
  const fields = memberNames(resolved(body ?? {}));
  const text = `${name} ${method} ${path} ${description} ${fields.join(' ')}`;
  return { url: `${url}#${name}`, title: summary, page, text };
}

function objectsPage(): Page {
  const url = '/docs/reference/objects';
  const title = 'Objects';
  const names = Object.keys(schemas).sort();
  const description =
    'The objects of requests and answers, by name. Members that are not marked as required may be absent.';
  return {
    url,
    title,
    description,
    headings: names.map((name) => ({ id: name, text: name, level: 2 })),
    records: names.map((name) => ({
      url: `${url}#${name}`,
      title: name,
      page: title,
      text: `${String(schemas[name]?.['description'] ?? '')} ${memberNames(schemas[name] ?? {}).join(' ')}`,
    })),
    content: html`<div>
      <p class="lead">${description}</p>
      ${names.map((name) => objectSection(name))}
    </div>`,
  };
}

function objectSection(name: string) {
  const schema = schemas[name] ?? {};
  const { description } = schema;
  return html`<section aria-labelledby=${name}>
    <h2 id=${name}><a class="anchor" href=${`#${name}`}>${name}</a></h2>
    ${typeof description === 'string' ? inlineMarkdown(description, 'p') : null}
    ${schema['properties'] === undefined ? html`<p class="field-type">${typeText(schema)}</p>` : schemaFields(schema, 2)}
  </section>`;
}
