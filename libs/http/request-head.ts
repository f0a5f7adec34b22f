/**
 * The headers the door reads, each with every value it was sent with: Node keeps the first of some repeated headers and
 * joins others, and the difference is what an attack is made of.
 */
export interface Head {
  readonly authorization: readonly string[];
  readonly idempotencyKey: readonly string[];
  readonly contractVersion: readonly string[];
  readonly requestId: readonly string[];
  readonly contentType: readonly string[];
  readonly contentEncoding: readonly string[];
  readonly contentLength: readonly string[];
}

/** A request up to its body. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

const members: { readonly [name: string]: keyof Head } = {
  authorization: 'authorization',
  'idempotency-key': 'idempotencyKey',
  'contract-version': 'contractVersion',
  'request-id': 'requestId',
  'content-type': 'contentType',
  'content-encoding': 'contentEncoding',
  'content-length': 'contentLength',
};

const lengths = new Set(Object.keys(members).map((name) => name.length));
const nothing: readonly string[] = [];

export function readHead({ rawHeaders }: RequestHead): Head {
  const head: { -readonly [Member in keyof Head]: readonly string[] } = {
    authorization: nothing,
    idempotencyKey: nothing,
    contractVersion: nothing,
    requestId: nothing,
    contentType: nothing,
    contentEncoding: nothing,
    contentLength: nothing,
  };
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!lengths.has(name.length)) continue;
    const member = members[name.toLowerCase()];
    if (member === undefined) continue;
    const value = rawHeaders[at + 1] as string;
    head[member] = head[member] === nothing ? [value] : [...head[member], value];
  }
  return head;
}

/** The caller's own identifier, where it is one: recorded beside the service's and returned, never in its place. */
export function callerRequestId({ requestId }: Head): string | undefined {
  const [value] = requestId;
  return requestId.length === 1 && value !== undefined && /^[!-~]{1,128}$/.test(value) ? value : undefined;
}

const json = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i;

export function isJson({ contentType, contentEncoding }: Head): boolean {
  return contentEncoding.length === 0 && contentType.length === 1 && json.test(contentType[0] as string);
}
