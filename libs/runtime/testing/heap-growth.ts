import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How much the heap grows by what `build` returns. */
export function heapGrowth(build: () => unknown): number {
  const before = heapUsed();
  const built = build();
  const growth = heapUsed() - before;
  // Used after the measurement, so that it is not collected before.
  if (built === undefined) throw new Error('nothing was built; expected a value that stays in memory');
  return growth;
}

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
