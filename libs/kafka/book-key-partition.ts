/** The message key of a book and its partition, which never changes. */

/** Chosen when a cell is prepared, and fixed for its life: a book must stay in its partition. */
export const defaultPartitionCount = 48;
/** Every processor and every command keeps state for each partition. */
export const maxPartitionCount = 512;

export function bookKey(tenantId: string, bookId: string): string {
  return `${tenantId}/${bookId}`;
}

/** `partitionCount`: that of the cell, fixed when it was prepared. */
export function partitionOf(key: string, partitionCount: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fff_ffff) % partitionCount;
}

const seed = 0x9747b28c;
const multiplier = 0x5bd1e995;

/** Kafka's default hash of a message key, so that its own tools find the partition of a book. */
export function murmur2(data: Uint8Array): number {
  let hash = seed ^ data.length;
  const end = data.length & ~3; // the end of the last complete word of four bytes
  for (let index = 0; index < end; index += 4) {
    let word =
      byte(data, index) | (byte(data, index + 1) << 8) | (byte(data, index + 2) << 16) | (byte(data, index + 3) << 24);
    word = Math.imul(word, multiplier);
    word ^= word >>> 24;
    hash = Math.imul(hash, multiplier) ^ Math.imul(word, multiplier);
  }
  const rest = data.length - end;
  if (rest > 0) {
    if (rest === 3) hash ^= byte(data, end + 2) << 16;
    if (rest >= 2) hash ^= byte(data, end + 1) << 8;
    hash = Math.imul(hash ^ byte(data, end), multiplier);
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}

function byte(data: Uint8Array, index: number): number {
  return data[index] ?? 0;
}
