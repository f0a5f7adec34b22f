/** Writes a result to the socket, with the headers every answer carries. */

import { STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';
import { baselineOf, contract } from '#libs/api/contract-versions.ts';
import { isProbe } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import type { ResponseStream, RouteResponse, RouteResult } from '#libs/http/handler.ts';
import type { HeaderFields, RequestContext } from '#libs/http/request-context.ts';
import { TooManyRequestsError } from '#libs/runtime/http-connection.ts';
import { headersTimeoutMs, maxHeaderBytes, requestTimeoutMs } from '#libs/runtime/http-listener.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

const jsonType = 'application/json';

/** After a 413 the connection stays open for so long, so that the caller can read the answer. */
const lingerMs = 1000;
/** A streaming caller that reads nothing for so long is disconnected. */
const maxStallMs = 60_000;

export function sendResult(context: RequestContext, result: RouteResult): void {
  const { response } = context;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (isRefusal(result)) {
    sendRefusal(context, result);
    return;
  }
  const { status, type, headers = {}, body, bytes, variesBy } = result;
  const { text = body === undefined ? undefined : JSON.stringify(body) } = result;
  const fields = appendFields(commonFields(context, isCacheable(context), variesBy), headers);
  if (bytes !== undefined) sendBytes(context, { status, fields, type }, bytes);
  else if (text === undefined) response.writeHead(status, fields).end();
  else sendText(context, status, fields, text, type);
}

/** Sends chunks as fast as the caller reads them, until the stream ends or the caller disconnects. */
export async function sendStream(
  context: RequestContext,
  { status, type = 'text/event-stream', headers, variesBy }: RouteResponse,
  { chunks, stopSignal }: ResponseStream,
): Promise<void> {
  const { response, timing } = context;
  timing.stop();
  const fields = commonFields(context, type === jsonType && isCacheable(context), variesBy);
  response.writeHead(status, appendFields(fields, { 'Content-Type': type, ...headers }));
  response.flushHeaders();
  if (context.method === 'HEAD') {
    response.end();
    return;
  }
  for await (const chunk of chunks) {
    if (response.destroyed) break;
    context.responseBytes += Buffer.byteLength(chunk);
    if (!response.write(chunk)) await whenDrained(context, stopSignal);
  }
  // A caller that does not read would keep the connection open indefinitely.
  if (stopSignal.aborted && response.writableNeedDrain) response.destroy();
  else response.end();
}

function sendRefusal(context: RequestContext, refusal: Refusal): void {
  const { retryAfter, status } = refusal;
  const fields = commonFields(context);
  if (retryAfter !== undefined) fields.push('Retry-After', String(retryAfter));
  if (status === 401) fields.push('WWW-Authenticate', 'Service-Ed25519');
  sendText(context, status, fields, JSON.stringify(refusalBody(refusal, context.requestId)));
}

/** Names and values in turn: an object, which Node would convert back, costs more. */
function commonFields(context: RequestContext, isCacheable = false, variesBy: readonly string[] = []): string[] {
  const { requestId, version, timing, caller, callerRequestId, responseHeaders } = context;
  const fields = [
    'Request-Id',
    requestId,
    'Contract-Version',
    version,
    'Server-Timing',
    timing.header(caller !== undefined),
    'Cache-Control',
    isCacheable ? 'private, no-cache' : 'no-store',
  ];
  if (isCacheable) fields.push('Vary', ['Contract-Version', ...variesBy].join(', '));
  if (callerRequestId !== undefined) fields.push('Caller-Request-Id', callerRequestId);
  return appendFields(fields, responseHeaders);
}

function appendFields(fields: string[], headers: Readonly<HeaderFields>): string[] {
  for (const name in headers) fields.push(name, headers[name] as string);
  return fields;
}

function sendText(context: RequestContext, status: number, fields: string[], text: string, type = jsonType): void {
  const length = Buffer.byteLength(text);
  context.responseBytes = length;
  fields.push('Content-Type', type, 'Content-Length', String(length));
  context.response.writeHead(status, fields);
  if (status === 413) sendAndLinger(context, text);
  // Text and head leave in one write; Latin-1 is cheaper to encode where every character is one byte.
  else context.response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Not copied: a page that many callers read slowly is in memory once. */
function sendBytes(
  { response }: RequestContext,
  {
    status,
    fields,
    type = jsonType,
  }: { readonly status: number; readonly fields: string[]; readonly type?: string | undefined },
  bytes: Buffer,
): void {
  fields.push('Content-Type', type, 'Content-Length', String(bytes.length));
  response.writeHead(status, fields).end(bytes);
}

/** Whether the caller may keep the answer and revalidate it with its tag. */
function isCacheable({ method, route }: RequestContext): boolean {
  return (method === 'GET' || method === 'HEAD') && route !== undefined && !isProbe(routes[route.name]);
}

/** Closing a connection with unread bytes makes TCP discard the answer, so the rest of the body is read first. */
function sendAndLinger({ request, response }: RequestContext, text: string): void {
  response.write(text);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  request.once('end', end).once('close', end).resume();
}

/** Resolves when the caller has read what was written, has disconnected, or the stream must stop. */
function whenDrained({ response }: RequestContext, stopSignal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      stopSignal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), maxStallMs);
    response.once('drain', done).once('close', done);
    stopSignal.addEventListener('abort', done);
    if (stopSignal.aborted || response.destroyed) done();
  });
}

/** What the request had to keep to, by the code of the error. */
const bounds: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `${maxHeaderBytes} bytes of path, query and headers together`,
  ERR_HTTP_REQUEST_TIMEOUT: `headers within ${headersTimeoutMs / 1_000} seconds, the whole request within ${requestTimeoutMs / 1_000}`,
};
const bodyErrorCodes = /CHUNK|CONTENT_LENGTH|TRANSFER_ENCODING|TIMEOUT|EOF/;

/** Ends the connection: where the next request on it would begin is unknown. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Writable): void {
  const requestId = newUuid();
  const refusal = brokenRequestRefusal(error);
  const body = JSON.stringify(refusalBody(refusal, requestId));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      `Request-Id: ${requestId}`,
      `Contract-Version: ${baselineOf(contract)}`,
      'Server-Timing: total;dur=0.0',
      'Cache-Control: no-store',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(refusal.retryAfter === undefined ? [] : [`Retry-After: ${refusal.retryAfter}`]),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function brokenRequestRefusal(error: NodeJS.ErrnoException): Refusal {
  if (error instanceof TooManyRequestsError) return refuse('unavailable');
  const { code = '' } = error;
  const bound = bounds[code] ?? 'HTTP/1.1 as RFC 9112 defines it';
  return refuse(bodyErrorCodes.test(code) ? 'invalid_body' : 'invalid_query', { bound });
}
