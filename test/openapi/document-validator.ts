/** Validates every response of the test run against the published document: status, code, headers and body. */
import { catalogue, isRefusalCode } from '#libs/schema/refusals.ts';
import {
  type DocumentNode,
  isNode,
  pointer,
  publishedDocument,
  resolveNode,
  schemaFaultAt,
} from './published-document.ts';

export interface SentRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The bytes as text. */
  readonly text: string;
}

export interface FetchedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type DocumentFault = { readonly at: string; readonly problem: string };

/** Throws if the document does not allow the response. The error names the route, the place and the problem. */
export function validateResponse(request: SentRequest, response: ReceivedResponse): void {
  const operation = operationOf(request);
  const fault =
    timingFault(response) ??
    (operation === undefined ? unroutedFault(response) : responseFault(operation, request, response));
  if (fault === undefined) return;
  const route = operation === undefined ? 'no route' : operation.name;
  const shown = response.text.slice(0, 2_000);
  throw new Error(
    `${request.method} ${request.target} (${route}) answered ${response.status}, which the document does not allow: ${fault.at}: ${fault.problem}\n${shown}`,
  );
}

/** Throws if the response of a route that this service does not serve is not a complete refusal. */
export function validateRefusal({ method, target }: SentRequest, response: ReceivedResponse): void {
  const fault = timingFault(response) ?? unroutedFault(response);
  if (fault === undefined) return;
  throw new Error(
    `${method} ${target} answered ${response.status}, which is not a valid refusal: ${fault.at}: ${fault.problem}`,
  );
}

interface Operation {
  readonly name: string;
  /** Its path in the document. */
  readonly names: readonly string[];
  readonly responses: DocumentNode;
}

/** A literal segment matches before a named one. */
const templates = Object.keys(publishedDocument['paths'] as DocumentNode)
  .map((path) => ({ path, pieces: path.split('/') }))
  .sort((a, b) => namedSegments(a.pieces) - namedSegments(b.pieces));

function operationOf({ method, target }: SentRequest): Operation | undefined {
  const pieces = (target.split('?')[0] as string).split('/');
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const template of templates) {
    if (!matchesTemplate(template.pieces, pieces)) continue;
    const names = ['paths', template.path, verb];
    const { node } = resolveNode(names) ?? {};
    if (node !== undefined)
      return { name: String(node['operationId']), names, responses: node['responses'] as DocumentNode };
  }
  return undefined;
}

function namedSegments(pieces: readonly string[]): number {
  return pieces.filter((piece) => piece.startsWith('{')).length;
}

function matchesTemplate(template: readonly string[], pieces: readonly string[]): boolean {
  if (template.length !== pieces.length) return false;
  return template.every((piece, nth) => (piece.startsWith('{') ? pieces[nth] !== '' : piece === pieces[nth]));
}

/** The statuses of unknown paths and methods. */
const unroutedStatuses = [400, 401, 403, 404, 405, 413, 429];

function unroutedFault({ status, headers, text }: ReceivedResponse): DocumentFault | undefined {
  if (!unroutedStatuses.includes(status)) return { at: 'status', problem: 'the document has no such route' };
  // The response to HEAD has no body.
  if (text === '') return undefined;
  if (headers['content-type'] !== 'application/json')
    return { at: 'Content-Type', problem: `${headers['content-type']}` };
  const fault = refusalFault(pointer('components', 'schemas', 'Refusal'), status, text);
  if (fault !== undefined) return fault;
  const { request_id } = JSON.parse(text) as { request_id: string };
  return headers['request-id'] === request_id
    ? undefined
    : { at: 'Request-Id', problem: 'differs from request_id in the body' };
}

function responseFault(
  { names, responses }: Operation,
  { method }: SentRequest,
  received: ReceivedResponse,
): DocumentFault | undefined {
  const status = String(received.status);
  const response = resolveNode([...names, 'responses', status]);
  if (response === undefined)
    return { at: 'status', problem: `the document declares only ${Object.keys(responses).join(', ')}` };
  const headers = headersFault(response.node, received);
  if (headers !== undefined) return headers;
  const content = response.node['content'];
  if (content === undefined || method === 'HEAD')
    return received.text === '' ? undefined : { at: 'body', problem: 'expected no body' };
  return bodyFault(response.names, content as DocumentNode, received);
}

function bodyFault(
  names: readonly string[],
  content: DocumentNode,
  { status, headers, text }: ReceivedResponse,
): DocumentFault | undefined {
  const [media = ''] = String(headers['content-type']).split(';');
  if (!Object.hasOwn(content, media))
    return { at: 'Content-Type', problem: `${media}; expected ${Object.keys(content)}` };
  if (media !== 'application/json') return undefined;
  const at = pointer(...names, 'content', media, 'schema');
  return isEnvelope(status, text) ? refusalFault(at, status, text) : jsonFault(at, text);
}

/** The answer of a health route that is not ready has a refusal's status but is not a refusal. */
function isEnvelope(status: number, text: string): boolean {
  return status >= 400 && text.startsWith('{"error"');
}

function jsonFault(at: string, text: string): DocumentFault | undefined {
  const problem = schemaFaultAt(at, JSON.parse(text));
  return problem === undefined ? undefined : { at: 'body', problem };
}

/** Checks the envelope, and the code against the catalogue. */
function refusalFault(at: string, status: number, text: string): DocumentFault | undefined {
  const wrong = jsonFault(at, text) ?? jsonFault(pointer('components', 'schemas', 'Refusal'), text);
  if (wrong !== undefined) return wrong;
  const { code, retry, details = {} } = JSON.parse(text) as { code: string; retry: string; details?: object };
  if (!isRefusalCode(code)) return { at: '/code', problem: `${code} is not in the catalogue` };
  const row = catalogue[code];
  if (row.status !== status) return { at: '/code', problem: `${code} has status ${row.status} in the catalogue` };
  // An internal error recorded under an idempotency key is repeated until the caller changes the key.
  const retries: readonly string[] = code === 'internal_error' ? ['as_is', 'after_change'] : [row.retry];
  if (!retries.includes(retry)) return { at: '/retry', problem: `${retry}; expected ${row.retry}` };
  const undeclared = Object.keys(details).find((key) => !(row.details as readonly string[]).includes(key));
  return undeclared === undefined
    ? undefined
    : { at: `/details/${undeclared}`, problem: `the catalogue has no such detail for ${code}` };
}

/** The parts of Server-Timing add up to the total, except before the signature is verified: then there is only a total. */
function timingFault({ headers }: ReceivedResponse): DocumentFault | undefined {
  const [total, ...parts] = String(headers['server-timing'] ?? 'total;dur=0')
    .split(', ')
    .map((part) => Number(part.split(';dur=')[1]));
  const partsSum = parts.reduce((sum, part) => sum + part, 0);
  // Each value is rounded to a tenth of a millisecond.
  const isWhole = parts.length === 0 || Math.abs(partsSum - (total as number)) <= 1;
  return isWhole
    ? undefined
    : { at: 'Server-Timing', problem: `its parts are ${partsSum} ms of a total of ${total} ms` };
}

/** Headers of HTTP itself, which the document does not declare. */
const transportHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

function headersFault(response: DocumentNode, { headers }: ReceivedResponse): DocumentFault | undefined {
  const declaredNames = Object.keys((response['headers'] ?? {}) as DocumentNode);
  const declared = new Map(declaredNames.map((name) => [name.toLowerCase(), name]));
  const undeclared = Object.keys(headers).find((name) => !transportHeaders.has(name) && !declared.has(name));
  if (undeclared !== undefined) return { at: undeclared, problem: 'is not declared' };
  for (const [name, declaredName] of declared) {
    const at = ['components', 'headers', declaredName];
    const { node, names } = resolveNode(at) as NonNullable<ReturnType<typeof resolveNode>>;
    const value = headers[name];
    if (value === undefined) {
      if (node['required'] === true) return { at: declaredName, problem: 'is declared and missing' };
      continue;
    }
    const isInteger = isNode(node['schema']) && node['schema']['type'] === 'integer';
    const problem = schemaFaultAt(pointer(...names, 'schema'), isInteger ? Number(value) : value);
    if (problem !== undefined) return { at: declaredName, problem };
  }
  return undefined;
}

/** Fetches a URL outside the test client and validates the response. */
export async function fetchValidated(url: string, init: RequestInit = {}): Promise<FetchedResponse> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const text = await response.text();
  const { pathname, search } = new URL(url);
  const request = { method: init.method ?? 'GET', target: pathname + search };
  validateResponse(request, { status, headers: Object.fromEntries(headers), text });
  return { status, headers, text };
}
