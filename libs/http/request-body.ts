/** Reads request bodies, bounded in length each and in memory all together. */
import type { IncomingMessage } from 'node:http';
import { bytesPerMebibyte } from '#libs/api/route.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { ClientDisconnectedError } from '#libs/http/request-context.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The longest body any route accepts. */
export const maxRequestBodyBytes = 8 * bytesPerMebibyte;

export interface BodyMemoryLimits {
  /** For bodies that are still being received: anyone can send all but the last byte and wait. */
  readonly maxIncompleteBytes: number;
  /** For complete bodies, each until its request is answered. */
  readonly maxCompleteBytes: number;
}

/** Eight and thirty-two of the longest bodies: hundreds of usual batches, and more than are decided before a timeout. */
export const defaultBodyMemoryLimits: BodyMemoryLimits = {
  maxIncompleteBytes: 64 * bytesPerMebibyte,
  maxCompleteBytes: 256 * bytesPerMebibyte,
};

/** Bodies up to this size are not counted: the number of connections bounds them. */
const smallBodyBytes = 16 * 1024;
/** Memory that each received chunk needs besides its bytes, so that a body in tiny chunks is counted fairly. */
const chunkOverheadBytes = 256;
const emptyBody = Buffer.alloc(0);

export class ByteBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  releaseBytes(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

export function bodyTooLarge(maxBytes: number): Refusal {
  return refuse('body_too_large', { bound: maxBytes });
}

/** Refuses a body that is too long by its `Content-Length`, before anything of it is read. */
export const checkContentLength: PipelineStep = (context) => {
  const declaredBytes = Number(context.head.contentLength[0] ?? 0);
  if (declaredBytes > maxRequestBodyBytes) return context.closingConnection(bodyTooLarge(maxRequestBodyBytes));
  return undefined;
};

export function readRequestBody({ maxIncompleteBytes, maxCompleteBytes }: BodyMemoryLimits): PipelineStep {
  const incomplete = new ByteBudget(maxIncompleteBytes);
  const complete = new ByteBudget(maxCompleteBytes);
  return (context) => {
    const keep = (body: Buffer | Refusal): Refusal | undefined => {
      if (!Buffer.isBuffer(body)) return body.code === 'body_too_large' ? context.closingConnection(body) : body;
      context.body = body;
      if (body.length <= smallBodyBytes) return undefined;
      if (!complete.take(body.length)) return refuse('unavailable');
      context.onResult(() => complete.releaseBytes(body.length));
      return undefined;
    };
    const received = readBytes(context.request, incomplete);
    return received instanceof Promise ? received.then(keep) : keep(received);
  };
}

export function readBytes(request: IncomingMessage, budget: ByteBudget): Buffer | Promise<Buffer | Refusal> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return emptyBody;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let weight = 0;
    let countedBytes = 0;
    const releaseBudget = (): void => {
      budget.releaseBytes(countedBytes);
      countedBytes = 0;
    };
    const refuseRest = (refusal: Refusal): void => {
      request.off('data', onData).off('end', onEnd).resume();
      chunks.length = 0;
      releaseBudget();
      resolve(refusal);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      weight += chunk.length + chunkOverheadBytes;
      if (length > maxRequestBodyBytes) {
        refuseRest(bodyTooLarge(maxRequestBodyBytes));
      } else if (weight > smallBodyBytes && !budget.take(weight - countedBytes)) {
        refuseRest(refuse('unavailable'));
      } else {
        if (weight > smallBodyBytes) countedBytes = weight;
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => {
      releaseBudget();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    };
    const onDisconnect = (): void => {
      releaseBudget();
      reject(new ClientDisconnectedError());
    };
    request.on('data', onData);
    request.once('end', onEnd);
    // Every request emits `close`; only an incomplete one was abandoned.
    request.once('close', () => request.complete || onDisconnect());
    request.once('error', onDisconnect);
  });
}
