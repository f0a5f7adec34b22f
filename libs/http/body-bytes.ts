import type { IncomingMessage } from 'node:http';
import { mebibyte } from '#libs/api/route.ts';
import type { Head } from '#libs/http/request-head.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** No route reads more; what is longer is not taken in, whoever sends it. */
export const mostBytes = 8 * mebibyte;

export function declaredTooLong({ contentLength }: Head): Refusal | undefined {
  return Number(contentLength[0] ?? 0) > mostBytes ? tooLarge(mostBytes) : undefined;
}

export function tooLarge(bound: number): Refusal {
  return refuse('body_too_large', { bound });
}

const empty = Buffer.alloc(0);

/** The caller went away before its request was whole: there is nobody to answer. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

/** Bodies up to this weight are taken in whoever sends them: how many there are is bounded by the connections. */
const smallWeight = 16 * 1024;
/** What a piece of a body takes beside its bytes, so that a body in crumbs is not had for nothing. */
const pieceWeight = 256;

/**
 * What bodies take of the memory as they were received, bounded for all of them together. Until one is whole nobody knows
 * whether a caller signed it, and anybody can send all but the last byte and wait: those have a room of their own. A whole
 * one is counted until it is answered, however long its caller waits for a place. What is made of it is not counted here:
 * parsed it is in proportion and goes with it; encoded for the log it may be twelve times as much, and the log's writer
 * bounds that.
 */
export class Room {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  take(weight: number): boolean {
    if (this.#held + weight > this.#most) return false;
    this.#held += weight;
    return true;
  }

  giveBack(weight: number): void {
    this.#held -= weight;
  }
}

/** What a whole body weighs among all that are held; nothing where it is small. */
export function weightOfWhole(body: Buffer): number {
  return body.length > smallWeight ? body.length : 0;
}

export function readBytes(request: IncomingMessage, unproven: Room): Buffer | Promise<Buffer | Refusal> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return empty;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let weight = 0;
    let held = 0;
    const letGo = (): void => {
      unproven.giveBack(held);
      held = 0;
    };
    const leaveRest = (refusal: Refusal): void => {
      request.off('data', take).off('end', whole).resume();
      chunks.length = 0;
      letGo();
      resolve(refusal);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      weight += chunk.length + pieceWeight;
      if (length > mostBytes) {
        leaveRest(tooLarge(mostBytes));
      } else if (weight > smallWeight && !unproven.take(weight - held)) {
        leaveRest(refuse('unavailable'));
      } else {
        if (weight > smallWeight) held = weight;
        chunks.push(chunk);
      }
    };
    const whole = (): void => {
      letGo();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    };
    const leave = (): void => {
      letGo();
      reject(new Gone());
    };
    request.on('data', take);
    request.once('end', whole);
    // Every request closes in the end; only one that is not whole has been left.
    request.once('close', () => request.complete || leave());
    request.once('error', leave);
  });
}
