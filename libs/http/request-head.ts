import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/**
 * The headers the pipeline reads, each with every value that was sent: Node keeps the first of some repeated headers and
 * joins others, and attacks exploit such differences.
 */
export interface RequestHead {
  readonly authorization: readonly string[];
  readonly idempotencyKey: readonly string[];
  readonly contractVersion: readonly string[];
  readonly requestId: readonly string[];
  readonly contentType: readonly string[];
  readonly contentEncoding: readonly string[];
  readonly contentLength: readonly string[];
  readonly traceparent: readonly string[];
  readonly tracestate: readonly string[];
}

const memberByHeader: { readonly [name: string]: keyof RequestHead } = {
  authorization: 'authorization',
  'idempotency-key': 'idempotencyKey',
  'contract-version': 'contractVersion',
  'request-id': 'requestId',
  'content-type': 'contentType',
  'content-encoding': 'contentEncoding',
  'content-length': 'contentLength',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
};

// Skips most headers without lowering the case of their names.
const nameLengths = new Set(Object.keys(memberByHeader).map((name) => name.length));
const none: readonly string[] = [];

/** `rawHeaders`: names and values in turn, as Node gives them. */
export function readHead(rawHeaders: readonly string[]): RequestHead {
  const head: { -readonly [Member in keyof RequestHead]: readonly string[] } = {
    authorization: none,
    idempotencyKey: none,
    contractVersion: none,
    requestId: none,
    contentType: none,
    contentEncoding: none,
    contentLength: none,
    traceparent: none,
    tracestate: none,
  };
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!nameLengths.has(name.length)) continue;
    const member = memberByHeader[name.toLowerCase()];
    if (member === undefined) continue;
    const value = rawHeaders[at + 1] as string;
    head[member] = head[member] === none ? [value] : [...head[member], value];
  }
  return head;
}

/** The caller's own identifier, if it is one: recorded and returned besides the service's, never instead of it. */
export function callerRequestId({ requestId }: RequestHead): string | undefined {
  const [value] = requestId;
  return requestId.length === 1 && value !== undefined && /^[!-~]{1,128}$/.test(value) ? value : undefined;
}

const jsonMediaType = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

export function isJson({ contentType, contentEncoding }: RequestHead): boolean {
  return contentEncoding.length === 0 && contentType.length === 1 && jsonMediaType.test(contentType[0] as string);
}

const idempotencyKeyForm = /^[ -~]{1,255}$/;

/** The value of `Idempotency-Key`, or why it is malformed; undefined where the header is absent. */
export function readIdempotencyKey({ idempotencyKey }: RequestHead): { readonly key: string | undefined } | Refusal {
  const [key, ...repeated] = idempotencyKey;
  if (key === undefined) return { key };
  if (repeated.length === 0 && idempotencyKeyForm.test(key)) return { key };
  return refuse('invalid_query', {
    field: 'Idempotency-Key',
    bound: '1 to 255 bytes of visible ASCII and spaces, stated once',
  });
}
