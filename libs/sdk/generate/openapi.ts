/** The parts of the service's OpenAPI document that the generator reads. */
import { readFileSync } from 'node:fs';

export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | OpenApiSchema;
  readonly items?: OpenApiSchema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly 'x-enum-open'?: boolean;
  readonly oneOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly allOf?: readonly OpenApiSchema[];
  readonly deprecated?: boolean;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: OpenApiSchema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: OpenApiSchema }>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}

export interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
  };
}

/** One route with its references resolved. */
export interface DocumentedRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
  readonly parameters: readonly OpenApiParameter[];
  readonly body: OpenApiSchema | undefined;
  readonly answer: OpenApiSchema;
  readonly reads: 'json' | 'text' | 'events';
}

export const openapiFile = new URL('../../../schemas/openapi.json', import.meta.url);

export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(openapiFile, 'utf8')) as OpenApiDocument;
}

/** The routes that are requested and answered, which the stream of events is not. */
export function sentRoutes(document: OpenApiDocument): DocumentedRoute[] {
  return routesOf(document).filter(({ reads }) => reads !== 'events');
}

/** Path and query parameters. The client knows the Tenancy; headers are options. */
export function isCallerParameter({ name, in: place }: OpenApiParameter): boolean {
  return place !== 'header' && name !== 'tenant_id';
}

export function routesOf(document: OpenApiDocument): DocumentedRoute[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => routeOf(document, path, method.toUpperCase(), operation)),
  );
}

function routeOf(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OpenApiOperation,
): DocumentedRoute {
  const { operationId: name, requestBody, responses } = operation;
  const [type, { schema: answer }] = successContent(name, responses);
  return {
    name,
    method,
    path,
    operation,
    parameters: (operation.parameters ?? []).map((each) =>
      '$ref' in each ? resolveParameter(document, each.$ref) : each,
    ),
    body: requestBody?.content?.['application/json']?.schema,
    answer,
    reads: type === 'application/json' ? 'json' : type === 'text/event-stream' ? 'events' : 'text',
  };
}

/** All success responses have one schema: 200 and 201 return the same record. */
function successContent(
  name: string,
  responses: OpenApiOperation['responses'],
): [string, { readonly schema: OpenApiSchema }] {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => Object.entries(('content' in response ? response.content : undefined) ?? {}));
  const [first] = contents;
  if (first === undefined) throw new Error(`${name} has no success response; expected one`);
  // Examples differ between the statuses, the schemas must not.
  if (new Set(contents.map(([media, { schema }]) => JSON.stringify([media, schema]))).size > 1)
    throw new Error(`${name} has success responses with different schemas; expected one`);
  return first;
}

function resolveParameter(document: OpenApiDocument, reference: string): OpenApiParameter {
  const parameter = document.components.parameters[reference.replace('#/components/parameters/', '')];
  if (parameter === undefined) throw new Error(`the parameter ${reference} is not defined in the document`);
  return parameter;
}
