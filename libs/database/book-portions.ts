/** Divides books into portions for one read each: the memory that a read takes is bounded, and so is its duration. */

export interface PortionLimits {
  readonly maxBytes: number;
  readonly maxBooks: number;
}

export interface BookPortion<Key> {
  readonly keys: readonly Key[];
  readonly bytes: number;
}

/** In the order of the keys. A book that takes more than the bound is alone. */
export function* bookPortions<Key>(
  all: readonly Key[],
  bytesOf: (key: Key) => number,
  { maxBytes, maxBooks }: PortionLimits,
): Generator<BookPortion<Key>> {
  let keys: Key[] = [];
  let sum = 0;
  for (const key of all) {
    const bytes = bytesOf(key);
    if (keys.length === maxBooks || (keys.length > 0 && sum + bytes > maxBytes)) {
      yield { keys, bytes: sum };
      keys = [];
      sum = 0;
    }
    keys.push(key);
    sum += bytes;
  }
  if (keys.length > 0) yield { keys, bytes: sum };
}
