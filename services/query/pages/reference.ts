/** The OpenAPI document for people: every route, every schema, every refusal on one page. */
import type { JsonSchema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { escaped, inline, prose } from './html.ts';
import { componentSection, shown } from './schema.ts';

/** Parameters that nearly every route has are shown once. */
const everywhere = ['tenant_id', 'ContractVersion', 'RequestId'];

type Named = { readonly [name: string]: JsonSchema };

export function referenceBody(document: JsonSchema): string {
  const { info, tags, components, paths } = document as { readonly [member: string]: Named };
  const operations = Object.entries(paths as Named).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as JsonSchema })),
  );
  const sections = (tags as unknown as readonly JsonSchema[]).map(({ name, description }) => {
    const own = operations.filter(({ operation }) => (operation['tags'] as readonly Json[])[0] === name);
    const shownOnes = own.map((each) => operationSection(each, components as Named)).join('\n');
    return `<h2>${escaped(String(name))}</h2><p>${inline(String(description))}</p>${shownOnes}`;
  });
  const { schemas, securitySchemes } = components as { readonly [member: string]: Named };
  const [scheme] = Object.values(securitySchemes as Named);
  return [
    `<h1>${escaped(String(info?.['title']))}</h1>`,
    `<p><small>Version ${escaped(String(info?.['version']))}. The same for machines: <a href="/v1/openapi.json">/v1/openapi.json</a>. What changed: <a href="/changelog">/changelog</a>.</small></p>`,
    prose(String(info?.['description'])),
    '<h2>Signing</h2>',
    prose(String(scheme?.['description'])),
    '<h2>Asked with, everywhere</h2>',
    parametersTable(everywhere.map((name) => (components as Named)['parameters']?.[name] as JsonSchema)),
    contents(operations),
    ...sections,
    '<h2>Shapes</h2>',
    ...Object.entries(schemas as Named).map(([name, schema]) => componentSection(name, schema)),
    '<h2>Refusals</h2>',
    catalogueTable(document['x-refusals'] as Named),
  ].join('\n');
}

interface Shown {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonSchema;
}

function contents(operations: readonly Shown[]): string {
  const items = operations.map(
    ({ operation: { operationId, summary } }) => `<li><a href="#${operationId}">${escaped(String(summary))}</a></li>`,
  );
  return `<nav><h2>Routes</h2><ul>${items.join('\n')}</ul></nav>`;
}

function operationSection({ path, method, operation }: Shown, components: Named): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return [
    `<section id="${operationId}">`,
    `<h3>${escaped(String(summary))}</h3>`,
    `<p><code><span class="method">${method.toUpperCase()}</span>${escaped(path)}</code></p>`,
    prose(String(description)),
    parametersTable(ownOf(parameters as readonly JsonSchema[], components['parameters'] as unknown as Named)),
    requestBody === undefined ? '' : bodyOf(requestBody as JsonSchema),
    responsesTable(responses as Named, components['responses'] as unknown as Named),
    '</section>',
  ].join('\n');
}

function resolved(value: JsonSchema, components: Named): JsonSchema {
  const { $ref } = value;
  return typeof $ref === 'string' ? (components[$ref.slice($ref.lastIndexOf('/') + 1)] as JsonSchema) : value;
}

function ownOf(parameters: readonly JsonSchema[], components: Named): readonly JsonSchema[] {
  const own = parameters.filter(({ $ref }) => !everywhere.some((name) => $ref === `#/components/parameters/${name}`));
  return own.map((parameter) => resolved(parameter, components));
}

function parametersTable(parameters: readonly JsonSchema[]): string {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const may = required === true ? '' : ' <small>optional</small>';
    return `<tr><td><code>${escaped(String(name))}</code> <small>${place}</small>${may}</td><td>${shown(schema as JsonSchema)}</td><td>${inline(String(description))}</td></tr>`;
  });
  return rows.length === 0 ? '' : `<table>${rows.join('\n')}</table>`;
}

function bodyOf({ content, description }: JsonSchema): string {
  const { schema, example } = mediaIn(content as Named);
  return `<h4>Body</h4><p>${shown(schema)} <small>${inline(String(description))}</small></p>${exampleOf(example)}`;
}

function responsesTable(responses: Named, components: Named): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description, content } = resolved(response, components);
    const { schema, example } = content === undefined ? {} : mediaIn(content as unknown as Named);
    const isRefusal = String(description).startsWith('Refused');
    const what = isRefusal || schema === undefined ? '' : shown(schema);
    return `<tr><td><code>${status}</code></td><td>${inline(String(description))} ${what}${exampleOf(example)}</td></tr>`;
  });
  return `<h4>Answered with</h4><table>${rows.join('\n')}</table>`;
}

function mediaIn(content: Named): { readonly schema: JsonSchema; readonly example?: Json } {
  const [media] = Object.values(content);
  return media as unknown as { readonly schema: JsonSchema; readonly example?: Json };
}

function exampleOf(example: Json | undefined): string {
  if (example === undefined) return '';
  return `<details><summary>As it really was</summary><pre>${escaped(JSON.stringify(example, null, 2))}</pre></details>`;
}

function catalogueTable(catalogue: Named): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, retry, says }]) =>
      `<tr><td><code>${code}</code></td><td>${status}</td><td>${retry}</td><td>${escaped(String(says))}</td></tr>`,
  );
  return `<table><tr><th>code</th><th>status</th><th>retry</th><th></th></tr>${rows.join('\n')}</table>`;
}
