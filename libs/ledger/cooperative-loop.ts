/** Long work that yields now and then, so that its caller can let other work run. It yields no value. */
export type CooperativeTask<T> = Generator<void, T>;

export function runToEnd<T>(task: CooperativeTask<T>): T {
  for (;;) {
    const { done, value } = task.next();
    if (done === true) return value;
  }
}

/** To yield after each item would cost more than most items do. */
export const itemsPerPart = 64;

/** What `map` makes of each item. Where that takes long, a part is one item. */
export function* mapInTask<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
  partLength: number = itemsPerPart,
): CooperativeTask<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item, results.length));
    if (results.length % partLength === 0) yield;
  }
  return results;
}

/** Work that needs no parts, where a task is asked for. */
// biome-ignore lint/correctness/useYield: it has one part
export function* shortTask<T>(work: () => T): CooperativeTask<T> {
  return work();
}
