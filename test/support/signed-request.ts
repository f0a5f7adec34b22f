/** Signed requests as bytes. */
import { authorizationHeader, type Signer } from '#libs/auth/signer.ts';

export interface UnsignedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array;
  readonly idempotencyKey?: string | undefined;
}

/** The value of the Authorization header. */
export function authorization(signer: Signer, { method, target, body, idempotencyKey }: UnsignedRequest): string {
  return authorizationHeader(signer, { method, target, body, idempotencyKey, nowMs: Date.now() });
}

/** The bytes of a signed HTTP request with a JSON body. The signature is valid for five minutes. */
export function requestBytes(signer: Signer, method: string, target: string, body: object): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: bench',
    `Authorization: ${authorization(signer, { method, target, body: bytes })}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

/** The same for a read, with more headers where they are stated. */
export function readBytes(signer: Signer, target: string, headers: readonly string[] = []): Buffer {
  const credentials = authorization(signer, { method: 'GET', target, body: new Uint8Array() });
  const head = [`GET ${target} HTTP/1.1`, 'Host: bench', `Authorization: ${credentials}`, ...headers];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
}
