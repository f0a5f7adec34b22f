/** Where a book's turn is taken. One function for all who write to the log or look into it. */

export const partitionCount = 12;

export function bookKey(tenantId: string, bookId: string): string {
  return `${tenantId}/${bookId}`;
}

export function partitionOf(key: string): number {
  return (murmur2(Buffer.from(key)) & 0x7fff_ffff) % partitionCount;
}

const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** Kafka's own hash of a key, so that any of its tools finds a book where we put it. */
export function murmur2(data: Uint8Array): number {
  let hash = SEED ^ data.length;
  const whole = data.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let word = byte(data, at) | (byte(data, at + 1) << 8) | (byte(data, at + 2) << 16) | (byte(data, at + 3) << 24);
    word = Math.imul(word, M);
    word ^= word >>> 24;
    hash = Math.imul(hash, M) ^ Math.imul(word, M);
  }
  const left = data.length - whole;
  if (left > 0) {
    if (left === 3) hash ^= byte(data, whole + 2) << 16;
    if (left >= 2) hash ^= byte(data, whole + 1) << 8;
    hash = Math.imul(hash ^ byte(data, whole), M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

function byte(data: Uint8Array, at: number): number {
  return data[at] ?? 0;
}
