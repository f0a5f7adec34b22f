/** Generates the table of routes and the signature of a method for each. */
import type { DocumentedRoute, OpenApiDocument, OpenApiSchema } from './openapi.ts';
import { isCallerParameter, routesOf, sentRoutes } from './openapi.ts';
import { docComment, generatedHeader, indent } from './shapes.ts';

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
  const routes = sentRoutes(document);
  const lists = pagedLists(document);
  return [
    generatedHeader('The routes of the contract.'),
    `import type { Listing } from '../listing.ts';\nimport type { AnswerOf, BodyOf, Options, ParametersOf } from '../route-arguments.ts';\n\n`,
    `/** The version of the contract of these routes. */\nexport const contractVersion = '${document.info.version}';\n\n`,
    `export const streamPath = '${routesOf(document).find(({ reads }) => reads === 'events')?.path}';\n\n`,
    `export const routes = {\n${routes.map(rowText).join('')}} as const;\n\n`,
    `/** The paged routes, and the list of their pages. */\nexport const pages = {\n${pageRows(lists).join('')}} as const;\n\n`,
    itemTypes,
    `/** A method for each route. */\nexport interface RouteMethods {\n${routes.map((route) => methodText(route, lists)).join('')}}\n`,
  ].join('');
}

function rowText({ name, method, path, parameters, body, reads }: DocumentedRoute): string {
  const query = parameters.filter((each) => each.in === 'query').map((each) => `'${each.name}'`);
  const members = [
    `method: '${method}'`,
    `path: '${path}'`,
    `query: [${query.join(', ')}]`,
    ...(body === undefined ? [] : ['body: true']),
    ...(parameters.some((each) => each.name === 'Idempotency-Key') ? ['keyed: true'] : []),
    ...(reads === 'text' ? [`reads: 'text'`] : []),
  ];
  return `  ${name}: { ${members.join(', ')} },\n`;
}

const itemTypes = `export type PagedRoute = keyof typeof pages;
type ListOf<Name extends PagedRoute> = AnswerOf<Name>[(typeof pages)[Name] & keyof AnswerOf<Name>];
/** What the list of a page holds. */
export type ItemOf<Name extends PagedRoute> = NonNullable<ListOf<Name>> extends readonly (infer Item)[] ? Item : never;

`;

function pageRows(lists: Readonly<Record<string, string>>): string[] {
  return Object.entries(lists).map(([name, list]) => `  ${name}: '${list}',\n`);
}

/** The list of the pages of each paged route. */
export function pagedLists(document: OpenApiDocument): Readonly<Record<string, string>> {
  const paged = sentRoutes(document).filter(
    ({ name, parameters, body }) =>
      name !== endlessRoute &&
      (parameters.some((each) => each.name === 'cursor') || (body !== undefined && hasCursor(body, document))),
  );
  return Object.fromEntries(paged.map((route) => [route.name, listField(route, document)]));
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

function methodText(
  { name, parameters, body, operation, path, method }: DocumentedRoute,
  lists: Readonly<Record<string, string>>,
): string {
  const given = parameters.filter(isCallerParameter);
  const isOptional = body === undefined && given.every(({ required }) => required !== true);
  const takes = [
    ...(given.length === 0 ? [] : [`at${isOptional ? '?' : ''}: ParametersOf<'${name}'>`]),
    ...(body === undefined ? [] : [`body: BodyOf<'${name}'>`]),
    'options?: Options',
  ];
  const answer =
    lists[name] === undefined ? `Promise<AnswerOf<'${name}'>>` : `Listing<AnswerOf<'${name}'>, ItemOf<'${name}'>>`;
  const description = (operation.description ?? '').replaceAll('\n\n', ' ');
  const comment = docComment(`${operation.summary}: \`${method} ${path}\`\n\n${description}`.trimEnd());
  return indent(`${comment}${name}(${takes.join(', ')}): ${answer};\n`);
}
