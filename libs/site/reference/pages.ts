/** The pages of the reference: one per resource, the errors, and the objects. */
import type { RouteName } from '#libs/api/routes.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { html } from '../html.ts';
import { inlineMarkdown, withoutMarks } from '../markdown-text.ts';
import type { Page, SearchRecord } from '../page.ts';
import { type ReferenceOperation, referenceOperations } from './api-document.ts';
import { errorsPage } from './errors-page.ts';
import { objectPages } from './object-pages.ts';
import { operationSection } from './operation.ts';
import { type Resource, resources } from './resources.ts';
import { resolved, searchWords } from './schema-fields.ts';

export function referencePages(): readonly Page[] {
  const operations = referenceOperations();
  const commonCodes = codesOfEveryRequest([...operations.values()]);
  return [
    ...resources.map((resource) => resourcePage(resource, operations, commonCodes)),
    errorsPage([...operations.values()], commonCodes),
    ...objectPages(),
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
  const fields = searchWords(resolved(body ?? {}));
  const text = `${name} ${method} ${path} ${description} ${fields.join(' ')}`;
  return { url: `${url}#${name}`, title: summary, page, text };
}
