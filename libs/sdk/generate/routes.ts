/** A method for every route, and the table they are sent by. */
import type { Document, Parameter, Route, Schema } from './openapi.ts';
import { routesOf } from './openapi.ts';
import { docComment, generated, typeOf } from './shapes.ts';

/** What of a page is its list, where a page holds several. */
const listedIn: Readonly<Record<string, string>> = {
  readMerchantBook: 'loans',
  readObligations: 'receipts',
  readDues: 'clients',
  readPolicy: 'versions',
};
/** Its pages have no end: it is followed. */
const endless = 'readFeed';

export function routesText(document: Document): string {
  const routes = routesOf(document);
  const sent = routes.filter(({ reads }) => reads !== 'events');
  const shapes = Object.keys(document.components.schemas).filter((name) => {
    const used = new RegExp(`\\b${name}\\b`);
    return sent.some((route) => used.test(operationType(route)));
  });
  return [
    generated('Every route of the contract.'),
    `import type { Answer } from '../sending.ts';\n`,
    `import type {\n${shapes
      .sort()
      .map((name) => `  ${name},\n`)
      .join('')}} from './shapes.ts';\n\n`,
    `/** The version of the contract these are of. */\nexport const contractVersion = '${document.info.version}';\n\n`,
    `export const streamPath = '${routes.find(({ reads }) => reads === 'events')?.path}';\n\n`,
    tableText(sent),
    '\n',
    pagesText(sent, document),
    '\n',
    `/** By route: what of it goes into the address, what into the body, and what it answers. */\n`,
    `export interface Operations {\n${sent.map((route) => `  ${route.name}: ${operationType(route)};\n`).join('')}}\n\n`,
    classText(sent),
  ].join('');
}

function tableText(routes: readonly Route[]): string {
  const rows = routes.map(({ name, method, path, parameters, reads }) => {
    const query = parameters.filter((each) => each.in === 'query').map((each) => `'${each.name}'`);
    const keyed = parameters.some((each) => each.name === 'Idempotency-Key');
    const more = `${keyed ? ', keyed: true' : ''}${reads === 'text' ? `, reads: 'text'` : ''}`;
    return `  ${name}: { method: '${method}', path: '${path}', query: [${query.join(', ')}]${more} },\n`;
  });
  return `export const routes = {\n${rows.join('')}} as const;\n`;
}

function pagesText(routes: readonly Route[], document: Document): string {
  const paged = routes.filter(
    ({ name, parameters, body }) =>
      name !== endless &&
      (parameters.some((each) => each.name === 'cursor') || (body !== undefined && takesCursor(body, document))),
  );
  const rows = paged.map((route) => `  ${route.name}: '${listOf(route, document)}',\n`);
  return `/** The routes that answer page by page, and what of a page is its list. */\nexport const pages = {\n${rows.join('')}} as const;\n`;
}

function takesCursor(body: Schema, document: Document): boolean {
  return resolved(body, document).properties?.['cursor'] !== undefined;
}

function listOf({ name, answer }: Route, document: Document): string {
  const chosen = listedIn[name];
  if (chosen !== undefined) return chosen;
  const lists = Object.entries(resolved(answer, document).properties ?? {}).filter(([, { type }]) => type === 'array');
  const [list] = lists;
  if (list === undefined || lists.length > 1) throw new Error(`${name} is paged: say which of its members is the list`);
  return list[0];
}

function resolved(schema: Schema, { components }: Document): Schema {
  return (schema.$ref && components.schemas[schema.$ref.replace('#/components/schemas/', '')]) || schema;
}

function operationType({ parameters, body, answer, reads }: Route): string {
  const given = parameters.filter((each) => isGiven(each));
  const members = given.map(({ name, schema, required }) => {
    const type = typeOf(schema);
    return required === true ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`;
  });
  const at = members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`;
  return `{ at: ${at}; body: ${body === undefined ? 'undefined' : typeOf(body, '  ')}; answer: ${reads === 'text' ? 'string' : typeOf(answer, '  ')} }`;
}

/** What the caller gives by name. The Tenancy is the client's, headers are options. */
function isGiven({ name, in: place }: Parameter): boolean {
  return place !== 'header' && name !== 'tenant_id';
}

function classText(routes: readonly Route[]): string {
  return `/** What every request may be told beside its own. */
export interface Options {
  /** Recorded beside the service's own identifier of the request. */
  readonly callerRequestId?: string;
  /** On the two routes without a reference, what makes a repeat one; made for each call where it is left out. */
  readonly idempotencyKey?: string;
  /** Where the answer is as of this entity tag, it is 304 without a body. */
  readonly ifNoneMatch?: string;
  readonly signal?: AbortSignal;
}

export type RouteName = keyof Operations;

export abstract class Routes {
  /** Any route by its name, answered with status and headers. */
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

function methodText({ name, parameters, body, operation, path, method }: Route): string {
  const given = parameters.filter((each) => isGiven(each));
  const isOptional = given.every(({ required }) => required !== true);
  const takes = [
    ...(given.length === 0
      ? []
      : [`at: Operations['${name}']['at']${isOptional && body === undefined ? ' = {}' : ''}`]),
    ...(body === undefined ? [] : [`body: Operations['${name}']['body']`]),
    'options?: Options',
  ];
  const said = `${operation.summary}: \`${method} ${path}\`\n\n${operation.description ?? ''}`.trimEnd();
  return `
${docComment(said, '  ')}  ${name}(${takes.join(', ')}): Promise<Operations['${name}']['answer']> {
    return this.#body('${name}', ${given.length === 0 ? '{}' : 'at'}, ${body === undefined ? 'undefined' : 'body'}, options);
  }
`;
}
