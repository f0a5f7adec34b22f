/** Generates the Java classes of the contract: shapes, routes, refusal codes, and a method per route. */
import { factBodies } from './fact-bodies.ts';
import { indent, JavaTypes, javadoc, javaName, javaTypeName } from './java-shapes.ts';
import {
  type DocumentedRoute,
  isCallerParameter,
  type OpenApiDocument,
  type OpenApiParameter,
  type OpenApiSchema,
  routesOf,
  sentRoutes,
} from './openapi.ts';
import { javaRemedies } from './remedies.ts';
import { pagedLists } from './routes.ts';

export function javaFiles(document: OpenApiDocument): Readonly<Record<string, string>> {
  const { types, routes } = describeAll(document);
  return {
    'Shapes.java': shapesText(types),
    'Routes.java': routesText(document, routes),
    'RouteMethods.java': methodsText(routes),
    'RefusalCodes.java': codesText(document),
    'FactKinds.java': kindsText,
    'Remedies.java': javaRemedies,
  };
}

/** The arguments of each method and the members of what callers make: from it the samples of the documentation are made. */
export function javaMethodTable(document: OpenApiDocument): string {
  const { types, routes } = describeAll(document);
  const methods = Object.fromEntries(routes.map((route) => [route.route.name, methodRow(route, document)]));
  return `${JSON.stringify({ methods, views: types.viewsMadeByCallers() }, null, 1)}\n`;
}

function methodRow(java: JavaRoute, document: OpenApiDocument): object {
  const { route, body, list, query, inPath, required } = java;
  return {
    positional: [...inPath, ...required].map((each) => [each.name, parameterType(each)]),
    ...(body === undefined ? {} : { body: body.replace('Shapes.', '') }),
    ...choiceOfBody(route.body, document),
    ...(query === undefined ? {} : { query }),
    ...(list === undefined ? {} : { isPaged: true }),
  };
}

/** Where a body has one of several types: the member whose value decides, and the type for each value. */
function choiceOfBody(body: OpenApiSchema | undefined, { components }: OpenApiDocument): object {
  const resolve = (schema: OpenApiSchema) => components.schemas[nameIn(schema)] ?? schema;
  const several = body === undefined ? undefined : resolve(body).oneOf;
  if (several === undefined) return {};
  const constantOf = (schema: OpenApiSchema, member: string) => {
    const { const: constant, enum: values = [] } = resolve(schema).properties?.[member] ?? {};
    return constant ?? (values.length === 1 ? values[0] : undefined);
  };
  const member = Object.keys(resolve(several[0] ?? {}).properties ?? {}).find((name) =>
    several.every((each) => constantOf(each, name) !== undefined),
  );
  if (member === undefined) return {};
  const types = Object.fromEntries(several.map((each) => [String(constantOf(each, member)), nameIn(each)]));
  return { choice: { member, types } };
}

function nameIn({ $ref = '' }: OpenApiSchema): string {
  return $ref.replace('#/components/schemas/', '');
}

function describeAll(document: OpenApiDocument): { readonly types: JavaTypes; readonly routes: readonly JavaRoute[] } {
  const types = new JavaTypes(document);
  const lists = pagedLists(document);
  const routes = sentRoutes(document).map((route) => describe(route, types, lists, document));
  types.collect();
  for (const { route } of routes) if (route.body !== undefined) types.markMadeByCallers(route.body);
  return { types, routes };
}

interface JavaRoute {
  readonly route: DocumentedRoute;
  readonly constant: string;
  readonly answer: string;
  readonly reader: string;
  readonly body: string | undefined;
  readonly list: string | undefined;
  readonly item: string;
  readonly itemReader: string;
  readonly inPath: readonly OpenApiParameter[];
  readonly required: readonly OpenApiParameter[];
  /** The name of the view of the optional query parameters, where there are some. */
  readonly query: string | undefined;
}

function describe(
  route: DocumentedRoute,
  types: JavaTypes,
  lists: Readonly<Record<string, string>>,
  document: OpenApiDocument,
): JavaRoute {
  const { name, reads } = route;
  const list = lists[name];
  const own = javaTypeName(name);
  const given = route.parameters
    .filter(isCallerParameter)
    .filter((each) => list === undefined || each.name !== 'cursor');
  const optional = given.filter((each) => each.in === 'query' && each.required !== true);
  const query = optional.length === 0 ? undefined : `${own}Query`;
  if (query !== undefined) types.defineQuery(query, querySchema(optional, name));
  const answer = types.type(route.answer, `${own}Answer`);
  const item = list === undefined ? undefined : types.type(itemSchema(route.answer, list, document), `${own}Item`);
  return {
    route,
    constant: name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase(),
    answer: reads === 'text' ? 'String' : inShapes(answer.boxed),
    reader: reads === 'text' ? 'value -> (String) value' : inShapes(answer.reader),
    body: route.body === undefined ? undefined : inShapes(types.type(route.body, `${own}Body`).plain),
    list,
    item: inShapes(item?.boxed ?? ''),
    itemReader: inShapes(item?.reader ?? ''),
    inPath: given.filter((each) => each.in === 'path'),
    required: given.filter((each) => each.in === 'query' && each.required === true),
    query,
  };
}

function querySchema(parameters: readonly OpenApiParameter[], route: string): OpenApiSchema {
  const members = parameters.map(({ name, schema, description }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  const description = `The optional parameters of \`${route}\`.`;
  return { type: 'object', description, properties: Object.fromEntries(members) };
}

function itemSchema(answer: OpenApiSchema, list: string, { components }: OpenApiDocument): OpenApiSchema {
  const items = components.schemas[nameIn(answer)]?.properties?.[list]?.items;
  if (items === undefined) throw new Error(`${nameIn(answer)} has no list ${list}`);
  return items;
}

const ofJava = new Set([
  'String',
  'Long',
  'Boolean',
  'LocalDate',
  'Instant',
  'Object',
  'JsonObject',
  'Readers',
  'List',
  'Map',
]);
const constants = new Set(['TEXT', 'NUMBER', 'FLAG', 'DAY', 'MOMENT', 'ANY', 'OBJECT']);

function inShapes(type: string): string {
  return type.replace(/\b[A-Z]\w*/g, (word) => (ofJava.has(word) || constants.has(word) ? word : `Shapes.${word}`));
}

const packageHeader = 'package lending.contract;\n\n';
const generatedDoc = (what: string): string => `/** ${what} Generated by npm run schemas:sdk. */\n`;

function shapesText(types: JavaTypes): string {
  return [
    packageHeader,
    'import java.time.Instant;\nimport java.time.LocalDate;\nimport java.util.List;\nimport java.util.Map;\nimport java.util.Optional;\n',
    'import lending.JsonObject;\nimport lending.Readers;\n\n',
    generatedDoc('Bodies and answers.'),
    `public final class Shapes {\n  private Shapes() {}\n\n${types.views().map(indent).join('\n')}}\n`,
  ].join('');
}

function routesText(document: OpenApiDocument, routes: readonly JavaRoute[]): string {
  const stream = routesOf(document).find(({ reads }) => reads === 'events')?.path;
  const all = routes.map(({ constant, list }) => `${constant}${list === undefined ? '' : '.route()'}`);
  return [
    packageHeader,
    'import java.util.List;\nimport java.util.Map;\nimport lending.JsonObject;\nimport lending.PagedRoute;\nimport lending.Readers;\nimport lending.Route;\n\n',
    generatedDoc('The routes of the contract.'),
    'public final class Routes {\n  private Routes() {}\n\n',
    indent(
      `/** The version of the contract of these routes. */\npublic static final String CONTRACT_VERSION = "${document.info.version}";\n`,
    ),
    indent(`public static final String STREAM_PATH = "${stream}";\n\n`),
    ...routes.map((route) => indent(routeRow(route))),
    indent(`\npublic static final List<Route<?>> ALL = List.of(\n${indent(indent(all.join(',\n')))});\n`),
    '}\n',
  ].join('');
}

function routeRow({ route, constant, answer, reader, list, item, itemReader }: JavaRoute): string {
  const query = route.parameters.filter((each) => each.in === 'query').map((each) => `"${each.name}"`);
  const isKeyed = route.parameters.some((each) => each.name === 'Idempotency-Key');
  const values = [
    `"${route.name}"`,
    `"${route.method}"`,
    `"${route.path}"`,
    `List.of(${query.join(', ')})`,
    isKeyed,
    route.reads === 'text',
    reader,
  ];
  const row = `new Route<>(${values.join(', ')})`;
  return list === undefined
    ? `public static final Route<${answer}> ${constant} = ${row};\n`
    : `public static final PagedRoute<${answer}, ${item}> ${constant} = new PagedRoute<>(${row}, "${list}", ${itemReader});\n`;
}

function methodsText(routes: readonly JavaRoute[]): string {
  return [
    packageHeader,
    'import java.time.Instant;\nimport java.time.LocalDate;\nimport java.util.HashMap;\nimport java.util.List;\nimport java.util.Map;\n',
    'import lending.JsonObject;\nimport lending.Listing;\nimport lending.PagedRoute;\nimport lending.Route;\n\n',
    generatedDoc('A method for each route.'),
    'public abstract class RouteMethods {\n',
    indent('private static final JsonObject NO_QUERY = new JsonObject();\n\n'),
    indent('protected abstract <A> A call(Route<A> route, Map<String, ?> parameters, JsonObject body);\n\n'),
    indent(
      'protected abstract <P extends JsonObject, I> Listing<P, I> list(\n    PagedRoute<P, I> route, Map<String, ?> parameters, JsonObject body);\n',
    ),
    ...routes.flatMap((route) => [
      `\n${methodText(route, true)}`,
      ...(route.query ? [`\n${methodText(route, false)}`] : []),
    ]),
    indent(parametersMethod),
    '}\n',
  ].join('');
}

const parametersMethod = `
private static Map<String, Object> parameters(JsonObject query, Object... namesAndValues) {
  Map<String, Object> all = new HashMap<>(query.members());
  for (int at = 0; at < namesAndValues.length; at += 2) all.put((String) namesAndValues[at], namesAndValues[at + 1]);
  return all;
}
`;

/** Without the optional parameters of the query, or with them. */
function methodText(java: JavaRoute, isShort: boolean): string {
  const { route, constant, answer, body, list, item, inPath, required, query } = java;
  const positional = [...inPath, ...required];
  const hasQuery = query !== undefined && !isShort;
  const takes = [
    ...positional.map((each) => `${parameterType(each)} ${javaName(each.name)}`),
    ...(body === undefined ? [] : [`${body} body`]),
    ...(hasQuery ? [`Shapes.${query} query`] : []),
  ];
  const values = [
    hasQuery ? 'query' : 'NO_QUERY',
    ...positional.map((each) => `"${each.name}", ${javaName(each.name)}`),
  ];
  const { summary, description } = route.operation;
  const title = `${summary}: \`${route.method} ${route.path}\``;
  const text = description === undefined ? title : `${title}\n\n${description.replaceAll('\n\n', ' ')}`;
  const result = list === undefined ? answer : `Listing<${answer}, ${item}>`;
  const call = `${list === undefined ? 'call' : 'list'}(Routes.${constant}, parameters(${values.join(', ')}), ${body === undefined ? 'null' : 'body'})`;
  return indent(
    `${javadoc(text)}public ${result} ${javaName(route.name)}(${takes.join(', ')}) {\n  return ${call};\n}\n`,
  );
}

function parameterType({ schema }: OpenApiParameter): string {
  if (schema.type === 'integer') return 'long';
  if (schema.type === 'boolean') return 'boolean';
  if (schema.type === 'array') return 'List<String>';
  return schema.format === 'date' ? 'LocalDate' : 'String';
}

function codesText({ components }: OpenApiDocument): string {
  const codes = components.schemas['Refusal']?.properties?.['code']?.enum ?? [];
  const rows = codes.map((code) => `  public static final String ${String(code).toUpperCase()} = "${String(code)}";\n`);
  return [
    packageHeader,
    generatedDoc('The codes of refusals. A later version of the service may send others.'),
    `public final class RefusalCodes {\n  private RefusalCodes() {}\n\n${rows.join('')}}\n`,
  ].join('');
}

const kindsText = [
  packageHeader,
  'import lending.events.FactKind;\n\n',
  generatedDoc('The kinds of facts, each with the view of its body. A later version of the service may add others.'),
  'public final class FactKinds {\n  private FactKinds() {}\n\n',
  ...factBodies.map(
    ({ kind, type }) =>
      `  public static final FactKind<Shapes.${type}> ${kind.toUpperCase()} = new FactKind<>("${kind}", Shapes.${type}::new);\n`,
  ),
  '}\n',
].join('');
