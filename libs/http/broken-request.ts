import type { Duplex } from 'node:stream';
import { envelope } from '#libs/api/error-envelope.ts';
import { baselineOf, contract } from '#libs/api/versions.ts';
import { mint } from '#libs/runtime/uuid.ts';
import { refuse } from '#libs/schema/refusals.ts';

const ofBody = /CHUNK|CONTENT_LENGTH|TRANSFER_ENCODING|TIMEOUT|EOF/;

/**
 * For a server's `clientError`: bytes that are no HTTP never reach the door, and are answered in the same one form.
 * The line is closed, since nobody can say where the next request on it would begin.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isAnswered = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent === true;
  if (!socket.writable || isAnswered || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const requestId = mint();
  const refusal = refuse(ofBody.test(error.code ?? '') ? 'invalid_body' : 'invalid_query');
  const body = JSON.stringify(envelope(refusal, requestId));
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
