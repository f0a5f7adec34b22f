/** Work that stops now and then, for whoever else waits: it says nothing where it stops. */
export type InPieces<T> = Generator<void, T>;

export function atOnce<T>(work: InPieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
