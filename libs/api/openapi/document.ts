/** The OpenAPI document of the whole interface, made from what validates requests and from what is said of answers. */

import { codesOf } from '#libs/api/openapi/codes.ts';
import { introduction, signatureSays } from '#libs/api/openapi/introduction.ts';
import { type Operation, tags } from '#libs/api/openapi/operation.ts';
import { operations } from '#libs/api/openapi/operations.ts';
import { parameterComponents, parametersOf } from '#libs/api/openapi/parameters.ts';
import { headerComponents, responseComponents, responsesOf } from '#libs/api/openapi/responses.ts';
import { referred, schemaComponents } from '#libs/api/openapi/schemas.ts';
import { mebibyte, type Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { Contract } from '#libs/api/versions.ts';
import type { JsonSchema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { catalogue } from '#libs/schema/refusals.ts';

/** Requests and answers as they really were, by route. */
export type Examples = {
  readonly [route: string]: { readonly status: number; readonly body?: Json; readonly answer: Json };
};

export function openApiDocument(contract: Contract, examples: Examples): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lending',
      version: contract.versions.at(-1)?.version as string,
      summary: 'Callers record signed facts; every figure is folded from them on each read.',
      description: introduction,
    },
    servers: [{ url: '/', description: 'The host this document was read from.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ signature: [] }],
    paths: pathsOf(contract, examples),
    components: {
      securitySchemes: {
        signature: { type: 'http', scheme: 'Service-Ed25519', description: signatureSays },
      },
      schemas: schemaComponents(contract),
      parameters: parameterComponents(contract),
      headers: headerComponents(),
      responses: responseComponents(),
    },
    'x-refusals': Object.fromEntries(
      Object.entries(catalogue).map(([code, { status, retry, details, says }]) => [
        code,
        { status, retry, details: [...details], says },
      ]),
    ),
  };
}

function pathsOf(contract: Contract, examples: Examples): JsonSchema {
  const paths: { [path: string]: { [method: string]: JsonSchema } } = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const methods = paths[route.path] ?? {};
    methods[route.method.toLowerCase()] = operationOf(name, route, contract, examples);
    paths[route.path] = methods;
  }
  return paths;
}

function operationOf(name: RouteName, route: Route, contract: Contract, examples: Examples): JsonSchema {
  const operation = operations[name];
  const example = examples[name];
  const codes = codesOf(route, operation);
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(route, operation),
    ...(route.open ? { security: [] } : {}),
    parameters: parametersOf(name, route),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, operation, example?.body) }),
    responses: responsesOf({ name, route, operation, codes, contract, example }),
  };
}

function descriptionOf({ method, open }: Route, { says }: Operation): string {
  if (open) return [says, 'No credential is needed.'].filter((line) => line !== '').join(' ');
  const fresh = method === 'GET' ? 'Read your write: yes.' : 'Every read shows it as soon as this is answered.';
  return `${says}\n\n${says.includes('ecords nothing') ? 'Read your write: yes.' : fresh}`;
}

function requestBody({ body, mostBodyBytes }: Route, operation: Operation, example: Json | undefined): JsonSchema {
  const schema = operation.body ?? (body as NonNullable<Route['body']>).jsonSchema;
  return {
    required: true,
    description: `At most ${mostBodyBytes / mebibyte} MiB.`,
    content: {
      'application/json': { schema: referred(schema), ...(example === undefined ? {} : { example }) },
    },
  };
}
