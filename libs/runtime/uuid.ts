/** UUIDs of version 7, the random part of many drawn at once: drawn one by one it costs more than all else of them. */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const drawn = Buffer.alloc(8_192);
let used = drawn.length;

export function mint(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const random = drawn.subarray(used, used + 16);
  used += 16;
  return v7({ random });
}
