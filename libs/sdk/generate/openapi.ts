/** The service's OpenAPI document, as far as the generator reads it. */
import { readFileSync } from 'node:fs';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly 'x-enum-open'?: boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly deprecated?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}

export interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** One route, with what it refers to in its place. */
export interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly answer: Schema;
  readonly reads: 'json' | 'text' | 'events';
}

export const openapiFile = new URL('../../../schemas/openapi.json', import.meta.url);

export function readDocument(): Document {
  return JSON.parse(readFileSync(openapiFile, 'utf8')) as Document;
}

export function routesOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => routeOf(document, path, method.toUpperCase(), operation)),
  );
}

function routeOf(document: Document, path: string, method: string, operation: Operation): Route {
  const { operationId: name, requestBody, responses } = operation;
  const [type, { schema: answer }] = succeeds(name, responses);
  return {
    name,
    method,
    path,
    operation,
    parameters: (operation.parameters ?? []).map((each) => ('$ref' in each ? named(document, each.$ref) : each)),
    body: requestBody?.content?.['application/json']?.schema,
    answer,
    reads: type === 'application/json' ? 'json' : type === 'text/event-stream' ? 'events' : 'text',
  };
}

/** Whatever succeeds has one shape: 200 and 201 answer the same record. */
function succeeds(name: string, responses: Operation['responses']): [string, { readonly schema: Schema }] {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => Object.entries(('content' in response ? response.content : undefined) ?? {}));
  const [first] = contents;
  if (first === undefined) throw new Error(`${name} answers nothing`);
  // An example stands under the status it had.
  if (new Set(contents.map(([media, { schema }]) => JSON.stringify([media, schema]))).size > 1)
    throw new Error(`${name} answers in several shapes`);
  return first;
}

function named(document: Document, reference: string): Parameter {
  const parameter = document.components.parameters[reference.replace('#/components/parameters/', '')];
  if (parameter === undefined) throw new Error(`${reference} is nowhere`);
  return parameter;
}
