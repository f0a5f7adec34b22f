/** Every answer of the test run is held to the published document: status, code, headers and body. */
import { catalogue, isRefusalCode } from '#libs/schema/refusals.ts';
import { faultAt, found, isNode, type Node, pointer, published } from './strict.ts';

export interface Asked {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The bytes as text. */
  readonly text: string;
}

type Fault = { readonly at: string; readonly says: string };

/** Throws where the answer is not one that the document promises, and says of which route, where and why. */
export function holdToDocument(asked: Asked, answered: Answered): void {
  const operation = operationOf(asked);
  const fault =
    faultOfTiming(answered) ??
    (operation === undefined ? faultOfUnrouted(answered) : faultOf(operation, asked, answered));
  if (fault === undefined) return;
  const route = operation === undefined ? 'no route' : operation.name;
  const shown = answered.text.slice(0, 2_000);
  throw new Error(
    `${asked.method} ${asked.target} (${route}) answered ${answered.status}, which the document does not promise: ${fault.at}: ${fault.says}\n${shown}`,
  );
}

/** An answer where the document says nothing of the route, because half of the service is asked: a refusal, and whole. */
export function holdToRefusal({ method, target }: Asked, answered: Answered): void {
  const fault = faultOfTiming(answered) ?? faultOfUnrouted(answered);
  if (fault === undefined) return;
  throw new Error(`${method} ${target} answered ${answered.status}, which is no refusal: ${fault.at}: ${fault.says}`);
}

interface Operation {
  readonly name: string;
  /** Where it stands in the document. */
  readonly names: readonly string[];
  readonly responses: Node;
}

/** A word of the contract goes before a name in its place. */
const templates = Object.keys(published['paths'] as Node)
  .map((path) => ({ path, pieces: path.split('/') }))
  .sort((a, b) => namedIn(a.pieces) - namedIn(b.pieces));

function operationOf({ method, target }: Asked): Operation | undefined {
  const pieces = (target.split('?')[0] as string).split('/');
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const template of templates) {
    if (!fits(template.pieces, pieces)) continue;
    const names = ['paths', template.path, verb];
    const { node } = found(names) ?? {};
    if (node !== undefined) return { name: String(node['operationId']), names, responses: node['responses'] as Node };
  }
  return undefined;
}

function namedIn(pieces: readonly string[]): number {
  return pieces.filter((piece) => piece.startsWith('{')).length;
}

function fits(template: readonly string[], pieces: readonly string[]): boolean {
  if (template.length !== pieces.length) return false;
  return template.every((piece, nth) => (piece.startsWith('{') ? pieces[nth] !== '' : piece === pieces[nth]));
}

/** What a path that is none, or a method it does not answer, may be told. */
const unrouted = [400, 401, 403, 404, 405, 413, 429];

function faultOfUnrouted({ status, headers, text }: Answered): Fault | undefined {
  if (!unrouted.includes(status)) return { at: 'status', says: 'no route is documented there' };
  // A HEAD, which has no body.
  if (text === '') return undefined;
  if (headers['content-type'] !== 'application/json') return { at: 'Content-Type', says: `${headers['content-type']}` };
  const wrong = faultOfRefusal(pointer('components', 'schemas', 'Refusal'), status, text);
  if (wrong !== undefined) return wrong;
  const { request_id } = JSON.parse(text) as { request_id: string };
  return headers['request-id'] === request_id ? undefined : { at: 'Request-Id', says: 'is another than the body has' };
}

function faultOf({ names, responses }: Operation, { method }: Asked, answered: Answered): Fault | undefined {
  const status = String(answered.status);
  const response = found([...names, 'responses', status]);
  if (response === undefined) return { at: 'status', says: `only ${Object.keys(responses).join(', ')} are declared` };
  const headers = faultOfHeaders(response.node, answered);
  if (headers !== undefined) return headers;
  const content = response.node['content'];
  if (content === undefined || method === 'HEAD')
    return answered.text === '' ? undefined : { at: 'body', says: 'there must be none' };
  return faultOfBody(response.names, content as Node, answered);
}

function faultOfBody(names: readonly string[], content: Node, { status, headers, text }: Answered): Fault | undefined {
  const [media = ''] = String(headers['content-type']).split(';');
  if (!Object.hasOwn(content, media))
    return { at: 'Content-Type', says: `${media} instead of ${Object.keys(content)}` };
  if (media !== 'application/json') return undefined;
  const at = pointer(...names, 'content', media, 'schema');
  return isEnvelope(status, text) ? faultOfRefusal(at, status, text) : faultOfJson(at, text);
}

/** Not being ready is an answer, though its status is that of a refusal. */
function isEnvelope(status: number, text: string): boolean {
  return status >= 400 && text.startsWith('{"error"');
}

function faultOfJson(at: string, text: string): Fault | undefined {
  const says = faultAt(at, JSON.parse(text));
  return says === undefined ? undefined : { at: 'body', says };
}

/** The envelope, and that the code is answered as the catalogue has it. */
function faultOfRefusal(at: string, status: number, text: string): Fault | undefined {
  const wrong = faultOfJson(at, text) ?? faultOfJson(pointer('components', 'schemas', 'Refusal'), text);
  if (wrong !== undefined) return wrong;
  const { code, retry, details = {} } = JSON.parse(text) as { code: string; retry: string; details?: object };
  if (!isRefusalCode(code)) return { at: '/code', says: `${code} is not in the catalogue` };
  const row = catalogue[code];
  if (row.status !== status) return { at: '/code', says: `${code} is answered with ${row.status}` };
  // Under an idempotency key only another key gets another outcome.
  const retries: readonly string[] = code === 'internal_error' ? ['as_is', 'after_change'] : [row.retry];
  if (!retries.includes(retry)) return { at: '/retry', says: `${retry} instead of ${row.retry}` };
  const stray = Object.keys(details).find((key) => !(row.details as readonly string[]).includes(key));
  return stray === undefined ? undefined : { at: `/details/${stray}`, says: `${code} carries no such detail` };
}

/** A request waits for one thing at a time: what its parts took lies within what it took. */
function faultOfTiming({ headers }: Answered): Fault | undefined {
  const [total, ...parts] = String(headers['server-timing'] ?? 'total;dur=0')
    .split(', ')
    .map((part) => Number(part.split(';dur=')[1]));
  const together = parts.reduce((sum, part) => sum + part, 0);
  // Each is told to a tenth of a millisecond.
  const most = (total as number) + 0.05 * (parts.length + 1) + 0.001;
  return together <= most
    ? undefined
    : { at: 'Server-Timing', says: `its parts are ${together} ms together, more than all of it` };
}

/** What HTTP itself says, whatever is answered. */
const transport = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']);

function faultOfHeaders(response: Node, { headers }: Answered): Fault | undefined {
  const declared = new Map(Object.keys((response['headers'] ?? {}) as Node).map((name) => [name.toLowerCase(), name]));
  const stray = Object.keys(headers).find((name) => !transport.has(name) && !declared.has(name));
  if (stray !== undefined) return { at: stray, says: 'is not declared' };
  for (const [name, as] of declared) {
    const { node, names } = found(['components', 'headers', as]) as NonNullable<ReturnType<typeof found>>;
    const value = headers[name];
    if (value === undefined) {
      if (node['required'] === true) return { at: as, says: 'is declared and missing' };
      continue;
    }
    const read = isNode(node['schema']) && node['schema']['type'] === 'integer' ? Number(value) : value;
    const says = faultAt(pointer(...names, 'schema'), read);
    if (says !== undefined) return { at: as, says };
  }
  return undefined;
}
