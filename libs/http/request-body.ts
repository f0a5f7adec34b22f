/** Reads request bodies, bounded in length each and in memory all together. */
import type { IncomingMessage } from 'node:http';
import { bytesPerMebibyte } from '#libs/api/route.ts';
import type { KeyRing } from '#libs/auth/key-ring.ts';
import { type BodyBudget, type BodyMemoryLimits, SharedBodyBudget } from '#libs/http/body-memory.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { ClientDisconnectedError, required } from '#libs/http/request-context.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The longest body any route accepts. */
export const maxRequestBodyBytes = 8 * bytesPerMebibyte;

/** Bodies up to this size are not counted: the number of connections bounds them. */
const smallBodyBytes = 16 * 1024;
/** Memory that each received chunk needs besides its bytes, so that a body in tiny chunks is counted fairly. */
const chunkOverheadBytes = 256;
const emptyBody = Buffer.alloc(0);

export function bodyTooLarge(maxBytes: number): Refusal {
  return refuse('body_too_large', { bound: maxBytes });
}

/** Refuses a body that is too long by its `Content-Length`, before anything of it is read. */
export const checkContentLength: PipelineStep = (context) => {
  const declaredBytes = Number(context.head.contentLength[0] ?? 0);
  if (declaredBytes > maxRequestBodyBytes) return context.closingConnection(bodyTooLarge(maxRequestBodyBytes));
  return undefined;
};

export function readRequestBody(limits: BodyMemoryLimits, keyRing: Pick<KeyRing, 'lastKnownTenancyId'>): PipelineStep {
  const incomplete = new SharedBodyBudget(limits.maxIncompleteBytes, limits.maxIncompleteBytesOfUnknownKeys);
  const complete = new SharedBodyBudget(limits.maxCompleteBytes, limits.maxCompleteBytes / 2);
  return (context) => {
    const { fp } = required(context.credentials, 'credentials');
    const tenantId = keyRing.lastKnownTenancyId(fp);
    const keep = (body: Buffer | Refusal): Refusal | undefined => {
      if (!Buffer.isBuffer(body)) return body.code === 'body_too_large' ? context.closingConnection(body) : body;
      context.body = body;
      if (body.length <= smallBodyBytes) return undefined;
      const share = complete.shareOf(tenantId);
      if (!share.take(body.length)) return refuse('unavailable');
      context.onResult(() => share.releaseBytes(body.length));
      return undefined;
    };
    const received = readBytes(context.request, incomplete.shareOf(tenantId));
    return received instanceof Promise ? received.then(keep) : keep(received);
  };
}

export function readBytes(request: IncomingMessage, budget: BodyBudget): Buffer | Promise<Buffer | Refusal> {
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
