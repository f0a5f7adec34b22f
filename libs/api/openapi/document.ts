/** The OpenAPI document of the whole interface, made from the routes, the body schemas and the answer schemas. */

import { type Contract, contract } from '#libs/api/contract-versions.ts';
import { type Operation, tags } from '#libs/api/openapi/operation-definition.ts';
import { clientOperations } from '#libs/api/openapi/operations/clients.ts';
import { creditOperations } from '#libs/api/openapi/operations/credit.ts';
import { loanOperations } from '#libs/api/openapi/operations/loans.ts';
import { productOperations } from '#libs/api/openapi/operations/products.ts';
import { receiptOperations } from '#libs/api/openapi/operations/receipts.ts';
import { serviceOperations } from '#libs/api/openapi/operations/service.ts';
import { tenancyOperations } from '#libs/api/openapi/operations/tenancy.ts';
import { parameterComponents, parametersOf } from '#libs/api/openapi/parameters.ts';
import { headerComponents, responseComponents, responsesOf } from '#libs/api/openapi/responses.ts';
import { refusalCodesOf } from '#libs/api/openapi/route-refusals.ts';
import { schemaComponents, withReferences } from '#libs/api/openapi/schemas.ts';
import { bytesPerMebibyte, type Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { Json } from '#libs/schema/json.ts';
import { catalogue } from '#libs/schema/refusals.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import recordedExamples from '#schemas/examples.json' with { type: 'json' };

/** The documentation of every route, by route. */
export const operations: { readonly [name in RouteName]: Operation } = {
  ...loanOperations,
  ...clientOperations,
  ...receiptOperations,
  ...productOperations,
  ...creditOperations,
  ...tenancyOperations,
  ...serviceOperations,
};

export interface Example {
  readonly status: number;
  /** The parameters of the path, but for the Tenancy. */
  readonly params: { readonly [name: string]: string | number };
  /** As in the request target, without the question mark. */
  readonly query?: string;
  readonly body?: Json;
  readonly answer: Json;
}

/** Recorded requests and answers, by route. */
export type Examples = { readonly [route: string]: Example };

const introduction = `
A lending ledger as a service. Callers record facts: a Loan was issued, money arrived, a debt was written off. A fact has a civil day, which the caller states, and the moment at which it was recorded. No state and no balance is stored: every answer is computed from the facts recorded so far.

**Freshness.** Every read, listings included, shows every write that was answered before the read was sent.

**Formats.** Money is \`{minor_units, currency}\` with a whole number of minor units. A civil day is \`YYYY-MM-DD\`. A timestamp is RFC 3339 in UTC with six decimals. A rate is a decimal string in per cent a year.

**Idempotency.** A mutation carries a \`reference\`, unique in its namespace. The same reference with the same body answers 200 with the current record; with another body it is refused with 409 \`reference_reused\`. To find out what became of a request, send it again. The two routes without a reference read \`Idempotency-Key\`.

**Refusals** have one format. Branch on \`code\`; use \`retry\` to decide what to do next. The catalogue is in \`x-refusals\`. Codes are added, never removed. A body with several faulty fields is refused for the first one; \`details.fields\` lists them all.

**Paging.** \`cursor\` is opaque and never expires. The last page of a listing has no cursor; a page of the feed always has one.

**Versions.** \`Contract-Version\` requests a version; every answer names its own. Enumerations are marked \`x-enum-open\`. An open one may gain members at any time: do not interpret members you do not know. New members of a closed one are served only to callers of the version that added them. Answers may gain members: ignore those you do not know.

**Methods.** HEAD is answered wherever GET is, signed as HEAD, with the same status and headers. Any other method of a path is refused with 405 and \`Allow\`; an unknown path with 404 \`no_route\`.
`.trim();

const signatureDescription = `
\`Authorization: Service-Ed25519 fp=<fingerprint>,ts=<unix seconds>,sig=<signature>\`, exactly these three, in this order, without spaces around \`=\` and \`,\`.

\`fp\` is the first 16 bytes of the SHA-256 of the public key in lower-case hexadecimal. \`sig\` is the Ed25519 signature in base64url without padding, over these lines joined by a single line feed, without one at the end:

1. the method, upper case
2. the request target as it is sent: the path and, if there is one, \`?\` and the query
3. \`ts\`
4. the SHA-256 of the body as it is sent, in lower-case hexadecimal (of no bytes if there is no body)
5. only if the header \`Idempotency-Key\` is sent: its value

The timestamp may differ from the service's clock by at most five minutes. A read key permits GET and HEAD, a write key every method. Every credential that cannot be used gets the same 401: check the clock first.
`.trim();

function openApiDocument(contract: Contract, examples: Examples): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lending',
      version: contract.versions.at(-1)?.version as string,
      summary: 'Callers record signed facts; every figure is computed from them on each read.',
      description: introduction,
      contact: { name: 'The operator of the service' },
      license: { name: 'Proprietary: no rights are granted', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The host from which this document was read.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ signature: [] }],
    paths: pathsOf(contract, examples),
    components: {
      securitySchemes: {
        signature: { type: 'http', scheme: 'Service-Ed25519', description: signatureDescription },
      },
      schemas: schemaComponents(contract),
      parameters: parameterComponents(contract),
      headers: headerComponents(),
      responses: responseComponents(),
    },
    'x-refusals': Object.fromEntries(
      Object.entries(catalogue).map(([code, { status, retry, details, message }]) => [
        code,
        { status, retry, details: [...details], says: message },
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
  const codes = refusalCodesOf(route, operation);
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(route, operation),
    ...(route.isPublic ? { security: [] } : {}),
    parameters: parametersOf(name, route),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, operation, example?.body) }),
    responses: responsesOf({ name, route, operation, codes, contract, example }),
  };
}

function descriptionOf({ method, isPublic }: Route, { description, recordsNothing = false }: Operation): string {
  if (isPublic) return [description, 'No credential is needed.'].filter((text) => text !== '').join(' ');
  const isRead = method === 'GET' || recordsNothing;
  const freshness = isRead ? 'Read your write: yes.' : 'Every read shows it as soon as this is answered.';
  return `${description}\n\n${freshness}`;
}

function requestBody({ body, maxBodyBytes }: Route, operation: Operation, example: Json | undefined): JsonSchema {
  const schema = operation.body ?? (body as NonNullable<Route['body']>).jsonSchema;
  return {
    required: true,
    description: `At most ${maxBodyBytes / bytesPerMebibyte} MiB.`,
    content: {
      'application/json': { schema: withReferences(schema, 'request'), ...(example === undefined ? {} : { example }) },
    },
  };
}

/** The document as this release publishes it. */
export const openApi = openApiDocument(contract, recordedExamples as Examples);

/** The text of schemas/openapi.json, indented so that two versions can be compared. */
export const openApiText = `${JSON.stringify(openApi, null, 1)}\n`;
