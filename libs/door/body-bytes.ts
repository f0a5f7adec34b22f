import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '#libs/contract/refusals.ts';
import { mebibyte } from '#libs/contract/route.ts';

/** No route reads more; what is longer is not taken in, whoever sends it. */
export const mostBytes = 8 * mebibyte;

export function declaredTooLong(request: IncomingMessage): Refusal | undefined {
  return Number(request.headers['content-length'] ?? 0) > mostBytes ? tooLarge(mostBytes) : undefined;
}

export function tooLarge(bound: number): Refusal {
  return refuse('body_too_large', { bound });
}

const empty = Buffer.alloc(0);

/** The caller went away before its request was whole: there is nobody to answer. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

export function readBytes(request: IncomingMessage): Buffer | Promise<Buffer | Refusal> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return empty;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > mostBytes) {
        request.off('data', take);
        resolve(tooLarge(mostBytes));
        return;
      }
      chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length)));
    // Every request closes in the end; only one that is not whole has been left.
    request.once('close', () => request.complete || reject(new Gone()));
    request.once('error', () => reject(new Gone()));
  });
}
