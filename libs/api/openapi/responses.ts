/** What may come back: the answers of a route, and its refusals by status. */

import type { Operation } from '#libs/api/openapi/operation.ts';
import { referred } from '#libs/api/openapi/schemas.ts';
import { isProbe, type Route } from '#libs/api/route.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { Contract } from '#libs/api/versions.ts';
import { windowHeaders } from '#libs/api/versions.ts';
import type { JsonSchema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { catalogue, type RefusalCode } from '#libs/schema/refusals.ts';

type Headers = { readonly [name: string]: JsonSchema };

const text: JsonSchema = { type: 'string' };

/** On every answer, whatever it is. */
const always: Headers = {
  'Request-Id': {
    description: "The service's own identifier for the request.",
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Contract-Version': { description: 'The version the answer was rendered under.', required: true, schema: text },
  'Server-Timing': {
    description:
      'Milliseconds spent: `total`, and once a signature was verified `queue`, `conn`, `db` and `derive`. The parts are no partition of `total`.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description:
      '`private, no-cache` on what a read answers: to be asked for anew each time; `no-store` on everything else.',
    required: true,
    schema: text,
  },
  'Caller-Request-Id': { description: "The caller's `Request-Id`, where it was one.", schema: text },
};

const own: Headers = {
  ETag: { description: 'Changes with any fact about the Client and with any release.', required: true, schema: text },
  'Retry-After': {
    description: 'Whole seconds, never zero.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'The scheme.', required: true, schema: text },
  'Idempotent-Replayed': {
    description: '`true` where the outcome was recorded under the `Idempotency-Key` before.',
    schema: { type: 'string', const: 'true' },
  },
  Deprecation: { description: 'RFC 9745; where the request relies on what is on its way out.', schema: text },
  Sunset: { description: 'RFC 8594; the same day.', schema: text },
  Link: { description: 'To the entry of the changelog.', schema: text },
  'Content-Security-Policy': { description: 'The page runs nothing and loads nothing.', required: true, schema: text },
  'X-Content-Type-Options': { description: '`nosniff`.', required: true, schema: text },
  'X-Accel-Buffering': {
    description: '`no`: what stands between is not to hold events back.',
    required: true,
    schema: text,
  },
  Vary: {
    description: '`Contract-Version`: under another version it may read otherwise.',
    required: true,
    schema: text,
  },
};

const refs = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function headerComponents(): JsonSchema {
  return { ...always, ...own };
}

const everywhere = Object.keys(always);

/** Answered alike by every route that may answer it. */
const shared: { readonly [status: number]: string } = {
  401: 'Unauthenticated',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooMany',
  500: 'InternalError',
  503: 'Unavailable',
};

export interface Answering {
  readonly name: RouteName;
  readonly route: Route;
  readonly operation: Operation;
  readonly codes: ReadonlySet<RefusalCode>;
  readonly contract: Contract;
  /** As it really was, under the status it had. */
  readonly example?: { readonly status: number; readonly answer: Json } | undefined;
}

export function responsesOf(answering: Answering): JsonSchema {
  const { operation, codes, route } = answering;
  const leaving = headersOfWindows(answering);
  const refused = byStatus(codes);
  const answered = operation.statuses.map((status): [string, JsonSchema] => [
    String(status),
    answer(answering, status),
  ]);
  const refusals = [...refused].map(([status, of]): [string, JsonSchema] => {
    const name = shared[status];
    const more = [
      ...(route.keyed && recorded(status) ? ['Idempotent-Replayed'] : []),
      ...(afterBody(status) ? leaving : []),
    ];
    const own = name === undefined || more.length > 0;
    return [String(status), own ? refusal(status, of, more) : { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries([...answered, ...refusals].sort(([a], [b]) => Number(a) - Number(b)));
}

/** Whether an outcome of that status is kept under an idempotency key. */
function recorded(status: number): boolean {
  return [404, 409, 422, 500].includes(status);
}

/** Whether it may be said once the body was read, and what of it is on its way out is known. */
function afterBody(status: number): boolean {
  return [400, 404, 409, 422, 500, 503].includes(status);
}

/** What an answer carries that relied on something on its way out. */
function headersOfWindows({ name, contract }: Answering): readonly string[] {
  const window = contract.windows.find(({ route }) => route === name);
  return window === undefined ? [] : Object.keys(windowHeaders(window));
}

function byStatus(codes: ReadonlySet<RefusalCode>): ReadonlyMap<number, readonly RefusalCode[]> {
  const found = new Map<number, RefusalCode[]>();
  for (const code of Object.keys(catalogue) as RefusalCode[]) {
    if (!codes.has(code)) continue;
    const { status } = catalogue[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

export function responseComponents(): JsonSchema {
  return Object.fromEntries(
    Object.entries(shared).map(([status, name]) => {
      const codes = (Object.keys(catalogue) as RefusalCode[]).filter(
        (code) => catalogue[code].status === Number(status),
      );
      return [name, refusal(Number(status), codes, [])];
    }),
  );
}

function refusal(status: number, codes: readonly RefusalCode[], more: readonly string[]): JsonSchema {
  const headers = [
    ...everywhere,
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...more,
  ];
  return {
    description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: refs(headers),
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

const meanings: { readonly [status: number]: string } = {
  200: 'Answered.',
  201: 'Recorded.',
  304: 'The answer named in `If-None-Match` still stands. No body.',
  503: 'Not of use now.',
};

function answer(answering: Answering, status: number): JsonSchema {
  const { route, operation, example } = answering;
  const { answer: part, media = 'application/json', statuses } = operation;
  const isRepeat = status === 200 && statuses.includes(201);
  // What lasts is kept by nobody.
  const mayBeKept = route.method === 'GET' && !isProbe(route) && media !== 'text/event-stream';
  const more = [
    ...(mayBeKept ? ['Vary'] : []),
    ...(statuses.includes(304) ? ['ETag'] : []),
    ...(route.keyed ? ['Idempotent-Replayed'] : []),
    ...headersOfWindows(answering),
    ...(mediaHeaders[media] ?? []),
  ];
  const body = {
    schema: part === undefined ? text : referred(part.jsonSchema),
    ...(example?.status === status ? { example: example.answer } : {}),
  };
  return {
    description: isRepeat ? 'Recorded before: as it reads now.' : (meanings[status] ?? 'Answered.'),
    headers: refs([...everywhere, ...more]),
    ...(status === 304 ? {} : { content: { [media]: body } }),
  };
}
