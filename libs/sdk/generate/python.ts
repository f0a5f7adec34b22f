/** Generates the Python modules of the contract: shapes, routes, and one method per route for both clients. */
import {
  type DocumentedRoute,
  isCallerParameter,
  type OpenApiDocument,
  type OpenApiParameter,
  routesOf,
  sentRoutes,
} from './openapi.ts';
import { classHead, docstring, PythonTypes, pythonHeader, pythonName, pythonTypeName } from './python-shapes.ts';
import { pythonRemedies } from './remedies.ts';
import { pagedLists } from './routes.ts';

export function pythonFiles(document: OpenApiDocument): Readonly<Record<string, string>> {
  const shapes = new PythonTypes(document);
  for (const [name, schema] of Object.entries(document.components.schemas)) shapes.define(name, schema);
  const routes = sentRoutes(document).map((route) => describe(route, shapes, pagedLists(document)));
  return {
    'shapes.py': shapesText(shapes),
    'routes.py': routesText(document, routes),
    'methods.py': methodsText(routes, { isAsync: false }),
    'remedies.py': pythonRemedies,
    'async_methods.py': methodsText(routes, { isAsync: true }),
  };
}

interface PythonRoute {
  readonly route: DocumentedRoute;
  readonly name: string;
  readonly answer: string;
  readonly body: string | undefined;
  readonly list: string | undefined;
  readonly item: string;
  readonly isKeyed: boolean;
}

function describe(route: DocumentedRoute, shapes: PythonTypes, lists: Readonly<Record<string, string>>): PythonRoute {
  const { name, reads } = route;
  const list = lists[name];
  const own = pythonTypeName(name);
  return {
    route,
    name: pythonName(name),
    answer: reads === 'text' ? 'str' : shapes.type(route.answer, `${own}Answer`),
    body: route.body === undefined ? undefined : shapes.type(route.body, `${own}Body`),
    list,
    item: list === undefined ? '' : itemType(route, list, shapes),
    isKeyed: route.parameters.some((each) => each.name === 'Idempotency-Key'),
  };
}

/** The type of the items, as the definition of the page has it. */
function itemType(route: DocumentedRoute, list: string, shapes: PythonTypes): string {
  const name = route.answer.$ref?.replace('#/components/schemas/', '') ?? '';
  const page = shapes.definitions.find((text) => text.startsWith(classHead(name))) ?? '';
  const [, item] = new RegExp(`^    ${list}: (?:NotRequired\\[)?list\\[(.*?)\\]+$`, 'm').exec(page) ?? [];
  if (item === undefined) throw new Error(`${route.name} is paged, but ${name} has no list ${list}`);
  return item;
}

function shapesText({ definitions }: PythonTypes): string {
  return [
    pythonHeader('Bodies and answers.'),
    'import sys\nfrom typing import Literal, TypeAlias, TypedDict, final\n\n',
    'if sys.version_info >= (3, 11):\n    from typing import NotRequired\nelse:\n    from typing_extensions import NotRequired\n\n',
    `\n${definitions.join('\n\n')}`,
  ].join('');
}

function routesText(document: OpenApiDocument, routes: readonly PythonRoute[]): string {
  const stream = routesOf(document).find(({ reads }) => reads === 'events')?.path;
  return [
    pythonHeader('The routes of the contract.'),
    'from ..route import PagedRoute, Route\nfrom . import shapes\n\n',
    `# The version of the contract of these routes.\nCONTRACT_VERSION = "${document.info.version}"\nSTREAM_PATH = "${stream}"\n\n`,
    ...routes.map(routeRow),
  ].join('');
}

function routeRow({ name, route, answer, list, item, isKeyed }: PythonRoute): string {
  const query = route.parameters.filter((each) => each.in === 'query').map((each) => `"${each.name}"`);
  const values = [
    `"${route.method}"`,
    `"${route.path}"`,
    ...(query.length === 0 ? [] : [`query=(${query.join(', ')},)`]),
    ...(isKeyed ? ['keyed=True'] : []),
    ...(route.reads === 'text' ? ['reads="text"'] : []),
    ...(list === undefined ? [] : [`items="${list}"`]),
  ];
  const type = list === undefined ? `Route[${inShapes(answer)}]` : `PagedRoute[${inShapes(answer)}, ${inShapes(item)}]`;
  const kind = list === undefined ? 'Route' : 'PagedRoute';
  return `${name}: ${type} = ${kind}(${values.join(', ')})\n`;
}

/** Names of types are in the module `shapes`; the names of Python begin with a lower-case letter, or are these. */
function inShapes(type: string): string {
  return type.replace(/"[^"]*"|\b(?!Literal\b|None\b|True\b|False\b)[A-Z]\w*/g, (word) =>
    word.startsWith('"') ? word : `shapes.${word}`,
  );
}

function methodsText(routes: readonly PythonRoute[], { isAsync }: { readonly isAsync: boolean }): string {
  const listing = isAsync ? 'AsyncListing' : 'Listing';
  const wait = isAsync ? 'async ' : '';
  return [
    pythonHeader(`A method for each route${isAsync ? ', for asyncio' : ''}.`),
    'from abc import ABC, abstractmethod\nfrom collections.abc import Mapping, Sequence\nfrom datetime import date\nfrom typing import Literal\n\n',
    `from ..listing import ${listing}\nfrom ..route import AnswerT, ItemT, PagedRoute, Parameters, Route\nfrom . import routes, shapes\n\n\n`,
    `class ${isAsync ? 'Async' : ''}RouteMethods(ABC):\n`,
    `    @abstractmethod\n    ${wait}def _call(\n        self,\n        route: Route[AnswerT],\n        parameters: Parameters,\n        body: object = None,\n        idempotency_key: str | None = None,\n        caller_request_id: str | None = None,\n    ) -> AnswerT: ...\n\n`,
    `    @abstractmethod\n    def _list(\n        self,\n        route: PagedRoute[AnswerT, ItemT],\n        parameters: Parameters,\n        body: Mapping[str, object] | None = None,\n        caller_request_id: str | None = None,\n    ) -> ${listing}[AnswerT, ItemT]: ...\n`,
    ...routes.map((route) => `\n${methodText(route, isAsync)}`),
  ].join('');
}

function methodText({ name, route, answer, body, list, item, isKeyed }: PythonRoute, isAsync: boolean): string {
  const given = route.parameters
    .filter(isCallerParameter)
    .filter((each) => !(list !== undefined && each.name === 'cursor'));
  const inPath = given.filter((each) => each.in === 'path');
  const inQuery = given.filter((each) => each.in === 'query');
  const required = inQuery.filter((each) => each.required === true);
  const optional = inQuery.filter((each) => each.required !== true);
  // The log of requests is filtered by the same name.
  const isTaken = given.some((each) => each.name === 'caller_request_id');
  const takes = [
    'self',
    ...inPath.map((each) => `${pythonName(each.name)}: ${parameterType(each)}`),
    ...(body === undefined ? [] : [`body: ${inShapes(body)}`]),
    '*',
    ...required.map((each) => `${pythonName(each.name)}: ${parameterType(each)}`),
    ...optional.map((each) => `${pythonName(each.name)}: ${parameterType(each)} | None = None`),
    ...(isKeyed ? ['idempotency_key: str | None = None'] : []),
    ...(isTaken ? [] : ['caller_request_id: str | None = None']),
  ];
  const values = given.map((each) => `"${each.name}": ${pythonName(each.name)}`);
  const arguments_ = [
    `routes.${name}`,
    `{${values.join(', ')}}`,
    ...(body === undefined ? [] : [`body=${list === undefined ? 'body' : '{**body}'}`]),
    ...(isKeyed ? ['idempotency_key=idempotency_key'] : []),
    ...(isTaken ? [] : ['caller_request_id=caller_request_id']),
  ];
  const { summary, description } = route.operation;
  const title = `${summary}: \`${route.method} ${route.path}\``;
  const text = description === undefined ? title : `${title}\n\n${description.replaceAll('\n\n', ' ')}`;
  const result =
    list === undefined ? inShapes(answer) : `${isAsync ? 'Async' : ''}Listing[${inShapes(answer)}, ${inShapes(item)}]`;
  const isCoroutine = isAsync && list === undefined;
  return [
    `    ${isCoroutine ? 'async ' : ''}def ${name}(\n${takes.map((each) => `        ${each},\n`).join('')}    ) -> ${result}:\n`,
    docstring(text, '        '),
    `        return ${isCoroutine ? 'await ' : ''}self.${list === undefined ? '_call' : '_list'}(${arguments_.join(', ')})\n`,
  ].join('');
}

function parameterType({ schema }: OpenApiParameter): string {
  if (schema.type === 'integer') return 'int';
  if (schema.type === 'boolean') return 'bool';
  if (schema.type === 'array') return 'Sequence[str]';
  return 'format' in schema && schema.format === 'date' ? 'str | date' : 'str';
}
