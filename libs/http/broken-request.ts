/** Answers bytes that are not HTTP. They never reach the pipeline, and are answered in the form of every refusal. */
import type { Duplex } from 'node:stream';
import { baselineOf, contract } from '#libs/api/versions.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import { refuse } from '#libs/schema/refusals.ts';

const bodyErrorCodes = /CHUNK|CONTENT_LENGTH|TRANSFER_ENCODING|TIMEOUT|EOF/;

/** Closes the connection: where the next request on it would begin is unknown. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || isAnswered(socket) || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const requestId = newUuid();
  const refusal = refuse(bodyErrorCodes.test(error.code ?? '') ? 'invalid_body' : 'invalid_query');
  const body = JSON.stringify(refusalBody(refusal, requestId));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} Bad Request`,
      `Request-Id: ${requestId}`,
      `Contract-Version: ${baselineOf(contract)}`,
      'Server-Timing: total;dur=0.0',
      'Cache-Control: no-store',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Node keeps the response in progress on the socket. */
function isAnswered(socket: Duplex & { readonly _httpMessage?: { readonly headersSent: boolean } }): boolean {
  return socket._httpMessage?.headersSent === true;
}
