/** Long work of the main thread in parts, so that other requests are served between them. */
const maxTurnMs = 10;

/** Runs a task that yields between its parts. After each turn of the event loop it continues for a few milliseconds. */
export async function runInParts<Result>(task: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const turnEndsAt = performance.now() + maxTurnMs;
    let step = task.next();
    while (step.done !== true && performance.now() < turnEndsAt) step = task.next();
    if (step.done === true) return step.value;
    await new Promise(setImmediate);
  }
}

/** The results for all items, each of which is a part. */
export function mapInParts<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  return runInParts(mapTask(items, map));
}

function* mapTask<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Generator<void, Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item, results.length));
    yield;
  }
  return results;
}
