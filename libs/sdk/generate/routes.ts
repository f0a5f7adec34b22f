/** Generates the table of routes and a class with a method for each. */
import type { DocumentedRoute, OpenApiDocument, OpenApiParameter, OpenApiSchema } from './openapi.ts';
import { routesOf } from './openapi.ts';
import { docComment, generatedHeader, typeText } from './shapes.ts';

/** The list of a page, where it has several lists. */
const listFieldOf: Readonly<Record<string, string>> = {
  readMerchantBook: 'loans',
  readObligations: 'receipts',
  readDues: 'clients',
  readPolicy: 'versions',
};
/** Its pages have no end. */
const endlessRoute = 'readFeed';

export function routesText(document: OpenApiDocument): string {
  const routes = routesOf(document);
  const sent = routes.filter(({ reads }) => reads !== 'events');
  const shapes = Object.keys(document.components.schemas).filter((name) => {
    const used = new RegExp(`\\b${name}\\b`);
    return sent.some((route) => used.test(operationType(route)));
  });
  return [
    generatedHeader('The routes of the contract.'),
    `import type { Answer } from '../http-client.ts';\n`,
    `import type {\n${shapes
      .sort()
      .map((name) => `  ${name},\n`)
      .join('')}} from './shapes.ts';\n\n`,
    `/** The version of the contract of these routes. */\nexport const contractVersion = '${document.info.version}';\n\n`,
    `export const streamPath = '${routes.find(({ reads }) => reads === 'events')?.path}';\n\n`,
    tableText(sent),
    '\n',
    pagesText(sent, document),
    '\n',
    `/** The path and query parameters, body and answer of each route. */\n`,
    `export interface Operations {\n${sent.map((route) => `  ${route.name}: ${operationType(route)};\n`).join('')}}\n\n`,
    classText(sent),
  ].join('');
}

function tableText(routes: readonly DocumentedRoute[]): string {
  const rows = routes.map(({ name, method, path, parameters, reads }) => {
    const query = parameters.filter((each) => each.in === 'query').map((each) => `'${each.name}'`);
    const keyed = parameters.some((each) => each.name === 'Idempotency-Key');
    const more = `${keyed ? ', keyed: true' : ''}${reads === 'text' ? `, reads: 'text'` : ''}`;
    return `  ${name}: { method: '${method}', path: '${path}', query: [${query.join(', ')}]${more} },\n`;
  });
  return `export const routes = {\n${rows.join('')}} as const;\n`;
}

function pagesText(routes: readonly DocumentedRoute[], document: OpenApiDocument): string {
  const paged = routes.filter(
    ({ name, parameters, body }) =>
      name !== endlessRoute &&
      (parameters.some((each) => each.name === 'cursor') || (body !== undefined && hasCursor(body, document))),
  );
  const rows = paged.map((route) => `  ${route.name}: '${listField(route, document)}',\n`);
  return `/** The paged routes, and the list of their pages. */\nexport const pages = {\n${rows.join('')}} as const;\n`;
}

function hasCursor(body: OpenApiSchema, document: OpenApiDocument): boolean {
  return resolveSchema(body, document).properties?.['cursor'] !== undefined;
}

function listField({ name, answer }: DocumentedRoute, document: OpenApiDocument): string {
  const chosen = listFieldOf[name];
  if (chosen !== undefined) return chosen;
  const lists = Object.entries(resolveSchema(answer, document).properties ?? {}).filter(
    ([, { type }]) => type === 'array',
  );
  const [list] = lists;
  if (list === undefined || lists.length > 1)
    throw new Error(`${name} is paged; expected one list, or an entry in listFieldOf`);
  return list[0];
}

function resolveSchema(schema: OpenApiSchema, { components }: OpenApiDocument): OpenApiSchema {
  return (schema.$ref && components.schemas[schema.$ref.replace('#/components/schemas/', '')]) || schema;
}

function operationType({ parameters, body, answer, reads }: DocumentedRoute): string {
  const given = parameters.filter((each) => isCallerParameter(each));
  const members = given.map(({ name, schema, required }) => {
    const type = typeText(schema);
    return required === true ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`;
  });
  const at = members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`;
  return `{ at: ${at}; body: ${body === undefined ? 'undefined' : typeText(body, '  ')}; answer: ${reads === 'text' ? 'string' : typeText(answer, '  ')} }`;
}

/** Path and query parameters. The client knows the Tenancy; headers are options. */
function isCallerParameter({ name, in: place }: OpenApiParameter): boolean {
  return place !== 'header' && name !== 'tenant_id';
}

function classText(routes: readonly DocumentedRoute[]): string {
  return `/** Options of every request. */
export interface Options {
  /** Recorded with the service's own identifier of the request. */
  readonly callerRequestId?: string;
  /** Makes a repeat safe on routes without a reference; generated for each call where it is left out. */
  readonly idempotencyKey?: string;
  /** An answer that still has this entity tag is a 304 without a body. */
  readonly ifNoneMatch?: string;
  readonly signal?: AbortSignal;
}

export type RouteName = keyof Operations;

export abstract class Routes {
  /** Calls a route by its name and returns status and headers as well. */
  abstract ask<Name extends RouteName>(
    name: Name,
    at: Operations[Name]['at'],
    body: Operations[Name]['body'],
    options?: Options,
  ): Promise<Answer<Operations[Name]['answer']>>;

  async #body<Name extends RouteName>(
    name: Name,
    at: Operations[Name]['at'],
    body: Operations[Name]['body'],
    options?: Options,
  ): Promise<Operations[Name]['answer']> {
    return (await this.ask(name, at, body, options)).body;
  }
${routes.map(methodText).join('')}}
`;
}

function methodText({ name, parameters, body, operation, path, method }: DocumentedRoute): string {
  const given = parameters.filter((each) => isCallerParameter(each));
  const isOptional = given.every(({ required }) => required !== true);
  const takes = [
    ...(given.length === 0
      ? []
      : [`at: Operations['${name}']['at']${isOptional && body === undefined ? ' = {}' : ''}`]),
    ...(body === undefined ? [] : [`body: Operations['${name}']['body']`]),
    'options?: Options',
  ];
  const comment = `${operation.summary}: \`${method} ${path}\`\n\n${operation.description ?? ''}`.trimEnd();
  return `
${docComment(comment, '  ')}  ${name}(${takes.join(', ')}): Promise<Operations['${name}']['answer']> {
    return this.#body('${name}', ${given.length === 0 ? '{}' : 'at'}, ${body === undefined ? 'undefined' : 'body'}, options);
  }
`;
}
