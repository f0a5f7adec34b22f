/** Renders the OpenAPI document as one page: every route, every schema, every refusal. */
import type { Json } from '#libs/schema/json.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import { escapeHtml, renderInline, renderProse } from './html.ts';
import { renderComponent, renderSchema } from './render-schema.ts';

/** Parameters of nearly every route, shown once. */
const commonParameters = ['tenant_id', 'ContractVersion', 'RequestId'];

type NamedValues<Value> = { readonly [name: string]: Value };

/** The parts of the OpenAPI document that the page shows. */
interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: NamedValues<NamedValues<Operation>>;
  readonly components: Components;
  readonly 'x-refusals': NamedValues<{ readonly status: number; readonly retry: string; readonly says: string }>;
}

interface Components {
  readonly schemas: NamedValues<JsonSchema>;
  readonly parameters: NamedValues<Parameter>;
  readonly responses: NamedValues<ApiResponse>;
  readonly securitySchemes: NamedValues<{ readonly description: string }>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly description: string; readonly content: NamedValues<Media> };
  readonly responses: NamedValues<ApiResponse | Reference>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface ApiResponse {
  readonly description: string;
  readonly content?: NamedValues<Media>;
}

interface Media {
  readonly schema: JsonSchema;
  readonly example?: Json;
}

interface Reference {
  readonly $ref: string;
}

interface RouteOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function renderReference(openApi: JsonSchema): string {
  const { info, tags, paths, components, 'x-refusals': refusals } = openApi as object as ApiDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const tagged = operations.filter(({ operation }) => operation.tags[0] === name);
    const rendered = tagged.map((route) => operationSection(route, components)).join('\n');
    return `<h2>${escapeHtml(name)}</h2><p>${renderInline(description)}</p>${rendered}`;
  });
  const [signing] = Object.values(components.securitySchemes);
  return [
    `<h1>${escapeHtml(info.title)}</h1>`,
    `<p><small>Version ${escapeHtml(info.version)}. As OpenAPI: <a href="/v1/openapi.json">/v1/openapi.json</a>. Changes: <a href="/changelog">/changelog</a>.</small></p>`,
    renderProse(info.description),
    '<h2>Signing</h2>',
    renderProse(String(signing?.description)),
    '<h2>Common parameters</h2>',
    parametersTable(commonParameters.map((name) => components.parameters[name] as Parameter)),
    contents(operations),
    ...sections,
    '<h2>Schemas</h2>',
    ...Object.entries(components.schemas).map(([name, schema]) => renderComponent(name, schema)),
    '<h2>Refusals</h2>',
    refusalsTable(refusals),
  ].join('\n');
}

function contents(operations: readonly RouteOperation[]): string {
  const items = operations.map(
    ({ operation: { operationId, summary } }) => `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`,
  );
  return `<nav><h2>Routes</h2><ul>${items.join('\n')}</ul></nav>`;
}

function operationSection({ path, method, operation }: RouteOperation, components: Components): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return [
    `<section id="${operationId}">`,
    `<h3>${escapeHtml(summary)}</h3>`,
    `<p><code><span class="method">${method.toUpperCase()}</span>${escapeHtml(path)}</code></p>`,
    renderProse(description),
    parametersTable(ownParameters(parameters, components)),
    requestBody === undefined ? '' : bodySection(requestBody),
    responsesTable(responses, components),
    '</section>',
  ].join('\n');
}

function resolve<Value extends object>(value: Value | Reference, components: NamedValues<Value>): Value {
  return '$ref' in value ? (components[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)] as Value) : value;
}

function ownParameters(parameters: readonly (Parameter | Reference)[], components: Components): readonly Parameter[] {
  const isCommon = (parameter: Parameter | Reference): boolean =>
    '$ref' in parameter && commonParameters.some((name) => parameter.$ref === `#/components/parameters/${name}`);
  return parameters
    .filter((parameter) => !isCommon(parameter))
    .map((parameter) => resolve(parameter, components.parameters));
}

function parametersTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: location, required, description, schema }) => {
    const optional = required === true ? '' : ' <small>optional</small>';
    return `<tr><td><code>${escapeHtml(name)}</code> <small>${location}</small>${optional}</td><td>${renderSchema(schema)}</td><td>${renderInline(description)}</td></tr>`;
  });
  return rows.length === 0 ? '' : `<table>${rows.join('\n')}</table>`;
}

function bodySection({ content, description }: NonNullable<Operation['requestBody']>): string {
  const [media] = Object.values(content) as [Media];
  return `<h4>Body</h4><p>${renderSchema(media.schema)} <small>${renderInline(description)}</small></p>${exampleSection(media.example)}`;
}

/** All refusals have the same schema: it is not repeated for each of them. */
const refusalSchema = '#/components/schemas/Refusal';

function responsesTable(responses: NamedValues<ApiResponse | Reference>, components: Components): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const { description, content } = resolve(response, components.responses);
    const media = content === undefined ? undefined : Object.values(content)[0];
    const isRefusal = media?.schema['$ref'] === refusalSchema;
    const schema = media === undefined || isRefusal ? '' : renderSchema(media.schema);
    return `<tr><td><code>${status}</code></td><td>${renderInline(description)} ${schema}${exampleSection(media?.example)}</td></tr>`;
  });
  return `<h4>Responses</h4><table>${rows.join('\n')}</table>`;
}

function exampleSection(example: Json | undefined): string {
  if (example === undefined) return '';
  return `<details><summary>Recorded example</summary><pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre></details>`;
}

function refusalsTable(refusals: ApiDocument['x-refusals']): string {
  const rows = Object.entries(refusals).map(
    ([code, { status, retry, says }]) =>
      `<tr><td><code>${code}</code></td><td>${status}</td><td>${retry}</td><td>${escapeHtml(says)}</td></tr>`,
  );
  return `<table><tr><th>code</th><th>status</th><th>retry</th><th>meaning</th></tr>${rows.join('\n')}</table>`;
}
