/** Whether memory and disk grew without end during a night of load at a constant rate. */

export type Sample = { readonly minute: number; readonly mebibytes: Readonly<Record<string, number>> };

/** A process that was just restarted, or a checkpoint that is due, differs by less. */
const toleratedMebibytes = 64;
const toleratedMemoryFactor = 1.25;
/** Facts and topics grow with the writes: as much in the last third of the night as in the one before. */
const toleratedDiskFactor = 1.5;

/** A line for each process that holds more memory, and each disk that fills faster, in the last third than before. */
export function findGrowth(samples: readonly Sample[]): string[] {
  const third = Math.floor(samples.length / 3);
  // The first third fills caches.
  const middle = samples.slice(third, 2 * third);
  const last = samples.slice(samples.length - third);
  const growth: string[] = [];
  for (const name of Object.keys(samples.at(-1)?.mebibytes ?? {})) {
    const isDisk = name.startsWith('disk ');
    const measure = isDisk ? increase : mean;
    const [before, after] = [measure(middle, name), measure(last, name)];
    const tolerated = before * (isDisk ? toleratedDiskFactor : toleratedMemoryFactor) + toleratedMebibytes;
    if (after > tolerated) {
      const what = isDisk ? 'grew by' : 'held';
      growth.push(`${name} ${what} ${after.toFixed(0)} MiB in the last third, ${before.toFixed(0)} MiB before`);
    }
  }
  return growth;
}

function mean(samples: readonly Sample[], name: string): number {
  return samples.reduce((sum, { mebibytes }) => sum + (mebibytes[name] ?? 0), 0) / samples.length;
}

function increase(samples: readonly Sample[], name: string): number {
  return Math.max(0, (samples.at(-1)?.mebibytes[name] ?? 0) - (samples[0]?.mebibytes[name] ?? 0));
}
