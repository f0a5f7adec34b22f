/** The parts of the OpenAPI document that the reference shows. */
import { openApi } from '#libs/api/openapi/document.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { Json } from '#libs/schema/json.ts';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';

type NamedValues<Value> = { readonly [name: string]: Value };

interface ApiDocument {
  readonly paths: NamedValues<NamedValues<Operation>>;
  readonly components: {
    readonly schemas: NamedValues<JsonSchema>;
    readonly parameters: NamedValues<Parameter>;
    readonly responses: NamedValues<ApiResponse>;
  };
}

interface Operation {
  readonly operationId: RouteName;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly description: string; readonly content: NamedValues<Media> };
  readonly responses: NamedValues<ApiResponse | Reference>;
}

export interface Parameter {
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

export interface AnswerStatus {
  readonly status: number;
  readonly description: string;
}

/** An operation with its references resolved. */
export interface ReferenceOperation {
  readonly name: RouteName;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  readonly bodyLimit: string;
  readonly answers: readonly AnswerStatus[];
  readonly media: string;
  readonly answer: JsonSchema | undefined;
  readonly example: { readonly status: number; readonly answer: Json } | undefined;
  readonly refusals: readonly RefusalCode[];
}

const document = openApi as object as ApiDocument;
const refusalSchema = '#/components/schemas/Refusal';

export const schemas = document.components.schemas;

export function referenceOperations(): ReadonlyMap<RouteName, ReferenceOperation> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  );
  return new Map(operations.map((operation) => [operation.name, operation]));
}

function operationOf(method: string, path: string, operation: Operation): ReferenceOperation {
  const { operationId: name, summary, description, requestBody } = operation;
  const responses = Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    ...resolve(response, document.components.responses),
  }));
  const isRefusal = ({ content }: ApiResponse) => content?.['application/json']?.schema['$ref'] === refusalSchema;
  const answers = responses.filter((response) => !isRefusal(response));
  const [media = '', { schema: answer } = {}] = answers.flatMap(({ content = {} }) => Object.entries(content))[0] ?? [];
  return {
    name,
    method,
    path,
    summary,
    description,
    parameters: operation.parameters.map((each) => resolve(each, document.components.parameters)),
    body: requestBody?.content['application/json']?.schema,
    bodyLimit: requestBody?.description ?? '',
    answers: answers.map((each) => ({ status: each.status, description: each.description })),
    media,
    answer,
    example: answers.flatMap(({ status, content }) => {
      const example = content?.[media]?.example;
      return example === undefined ? [] : [{ status, answer: example }];
    })[0],
    refusals: responses.filter(isRefusal).flatMap(codesOf),
  };
}

/** The document lists the codes of a response in its description, shared responses included. */
function codesOf({ description }: ApiResponse): readonly RefusalCode[] {
  return [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code as RefusalCode);
}

function resolve<Value extends object>(value: Value | Reference, named: NamedValues<Value>): Value {
  if (!('$ref' in value)) return value as Value;
  const name = nameOfReference(value.$ref as string);
  const found = named[name];
  if (found === undefined) throw new Error(`the document has no component ${name}`);
  return found;
}

export function nameOfReference(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
