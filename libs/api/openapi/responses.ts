/** The responses of a route in the OpenAPI document: its answers, and its refusals by status. */
import { refusalCodes } from '#libs/api/answers/common.ts';
import type { Contract } from '#libs/api/contract-versions.ts';
import type { Operation } from '#libs/api/openapi/operation-definition.ts';
import { withReferences } from '#libs/api/openapi/schemas.ts';
import { isProbe, type Route } from '#libs/api/route.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { Json } from '#libs/schema/json.ts';
import { catalogue, type RefusalCode } from '#libs/schema/refusals.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';

type Headers = { readonly [name: string]: JsonSchema };

const text: JsonSchema = { type: 'string' };

const commonHeaders: Headers = {
  'Request-Id': {
    description: "The service's own identifier for the request.",
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Contract-Version': { description: 'The contract version of the answer.', required: true, schema: text },
  'Server-Timing': {
    description:
      'Milliseconds spent: `total`, and after the signature check also `queue`, `conn`, `db`, `derive`, `submit` (the wait of a write for Kafka and the processor) and `app` (the rest). The parts add up to `total`.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description:
      '`private, no-cache` on the answers of reads: revalidate before every use; `no-store` on everything else.',
    required: true,
    schema: text,
  },
  'Caller-Request-Id': { description: "The caller's `Request-Id`, if it was a valid one.", schema: text },
};

const specificHeaders: Headers = {
  ETag: {
    description: 'Changes with any fact that the answer depends on and with any release.',
    required: true,
    schema: text,
  },
  'Retry-After': {
    description: 'Whole seconds, never zero.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'The scheme.', required: true, schema: text },
  'Content-Encoding': { description: '`br` or `gzip`, if the request accepts it.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` if this is the recorded outcome of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  Deprecation: {
    description:
      'RFC 9745; if the request uses a deprecated member: the day until which it is accepted, as `@` and Unix seconds.',
    schema: text,
  },
  Sunset: { description: 'RFC 8594; the same day as an HTTP date.', schema: text },
  Link: { description: 'The entry of the changelog.', schema: text },
  'Content-Security-Policy': {
    description: 'What the page may load and run: nothing of another host, and no script inside the page.',
    required: true,
    schema: text,
  },
  'X-Content-Type-Options': { description: '`nosniff`.', required: true, schema: text },
  'X-Accel-Buffering': {
    description: '`no`: proxies must not buffer events.',
    required: true,
    schema: text,
  },
  Vary: {
    description:
      '`Contract-Version`: the answer may differ under another version. Pages without a credential add `Accept-Encoding`.',
    required: true,
    schema: text,
  },
};

function headerRefs(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function headerComponents(): JsonSchema {
  return { ...commonHeaders, ...specificHeaders };
}

const commonHeaderNames = Object.keys(commonHeaders);

/** Statuses with the same response on every route that has them. */
const sharedResponses: { readonly [status: number]: string } = {
  401: 'Unauthenticated',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooMany',
  500: 'InternalError',
  503: 'Unavailable',
};

export interface ResponseContext {
  readonly name: RouteName;
  readonly route: Route;
  readonly operation: Operation;
  readonly codes: ReadonlySet<RefusalCode>;
  readonly contract: Contract;
  /** A recorded answer, with its status. */
  readonly example?: { readonly status: number; readonly answer: Json } | undefined;
}

export function responsesOf(context: ResponseContext): JsonSchema {
  const { operation, codes, route } = context;
  const answers = operation.statuses.map((status): [string, JsonSchema] => [
    String(status),
    answerResponse(context, status),
  ]);
  const refusals = [...codesByStatus(codes)].map(([status, ofStatus]): [string, JsonSchema] => {
    const sharedName = sharedResponses[status];
    const headers = [
      ...(route.readsIdempotencyKey && isRecordedOutcome(status) ? ['Idempotent-Replayed'] : []),
      ...(isAfterBodyParsed(status) ? deprecationHeaderNames(context) : []),
    ];
    const isShared = sharedName !== undefined && headers.length === 0;
    const response = isShared
      ? { $ref: `#/components/responses/${sharedName}` }
      : refusalResponse(status, ofStatus, headers);
    return [String(status), response];
  });
  return Object.fromEntries([...answers, ...refusals].sort(([a], [b]) => Number(a) - Number(b)));
}

/** Whether a refusal with this status is recorded as the outcome of an Idempotency-Key. */
function isRecordedOutcome(status: number): boolean {
  return [404, 409, 422, 500].includes(status);
}

/** Whether a refusal with this status may come after the body was parsed, so that deprecated members are known. */
function isAfterBodyParsed(status: number): boolean {
  return [400, 404, 409, 422, 500, 503].includes(status);
}

function deprecationHeaderNames({ name, contract }: ResponseContext): readonly string[] {
  const change = contract.entries.find((entry) => 'window' in entry && entry.route === name);
  return change === undefined ? [] : ['Deprecation', 'Sunset', 'Link'];
}

function codesByStatus(codes: ReadonlySet<RefusalCode>): ReadonlyMap<number, readonly RefusalCode[]> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of refusalCodes) {
    if (!codes.has(code)) continue;
    const { status } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

export function responseComponents(): JsonSchema {
  return Object.fromEntries(
    Object.entries(sharedResponses).map(([status, name]) => {
      const codes = refusalCodes.filter((code) => catalogue[code].status === Number(status));
      return [name, refusalResponse(Number(status), codes, [])];
    }),
  );
}

function refusalResponse(
  status: number,
  codes: readonly RefusalCode[],
  additionalHeaders: readonly string[],
): JsonSchema {
  const headers = [
    ...commonHeaderNames,
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...additionalHeaders,
  ];
  return {
    description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headerRefs(headers),
    content: {
      'application/json': {
        schema: {
          $ref: '#/components/schemas/Refusal',
          properties: { code: { enum: codes, 'x-enum-open': true } },
        },
      },
    },
  };
}

const mediaHeaders: { readonly [media: string]: readonly string[] } = {
  'text/event-stream': ['X-Accel-Buffering'],
  'text/html': ['Content-Security-Policy', 'X-Content-Type-Options'],
};

const statusDescriptions: { readonly [status: number]: string } = {
  200: 'Answered.',
  201: 'Recorded.',
  304: 'The answer named in `If-None-Match` is still current. No body.',
  503: 'Not ready.',
};

function answerResponse(context: ResponseContext, status: number): JsonSchema {
  const { route, operation, example } = context;
  const { answer, media = 'application/json', statuses } = operation;
  const isRepeat = status === 200 && statuses.includes(201);
  const mayBeCached = route.method === 'GET' && !isProbe(route) && media !== 'text/event-stream';
  const headers = [
    ...commonHeaderNames,
    ...(mayBeCached ? ['Vary'] : []),
    ...(statuses.includes(304) ? ['ETag'] : []),
    ...(route.isPublic && mayBeCached && status === 200 ? ['Content-Encoding'] : []),
    ...(route.readsIdempotencyKey ? ['Idempotent-Replayed'] : []),
    ...deprecationHeaderNames(context),
    ...(mediaHeaders[media] ?? []),
  ];
  const body = {
    schema: answer === undefined ? text : withReferences(answer.jsonSchema, 'answer'),
    ...(example?.status === status ? { example: example.answer } : {}),
  };
  return {
    description: isRepeat ? 'Recorded before: the current record.' : (statusDescriptions[status] ?? 'Answered.'),
    headers: headerRefs(headers),
    ...(status === 304 ? {} : { content: { [media]: body } }),
  };
}
