/** UUIDs of version 7. Random bytes are drawn for many at once: drawing them one by one dominates the cost. */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const randomBytes = Buffer.alloc(8_192);
let usedBytes = randomBytes.length;

export function newUuid(): string {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  const random = randomBytes.subarray(usedBytes, usedBytes + 16);
  usedBytes += 16;
  return v7({ random });
}

/** When a UUID of version 7 was made, in milliseconds since 1970: it begins with that. */
export function uuidTimeMs(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
}
