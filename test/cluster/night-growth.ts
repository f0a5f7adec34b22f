/** Whether memory and disk grew without end during a night of load at a constant rate. */

export type Sample = { readonly minute: number; readonly mebibytes: Readonly<Record<string, number>> };

/** Memory differs by less from one sample to the next where nothing is kept. */
const toleratedMebibytes = 32;
const toleratedMemoryFactor = 1.1;
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
    const measure = isDisk ? increase : median;
    const [before, after] = [measure(middle, name), measure(last, name)];
    const tolerated = before * (isDisk ? toleratedDiskFactor : toleratedMemoryFactor) + toleratedMebibytes;
    if (after > tolerated) {
      const what = isDisk ? 'grew by' : 'held';
      growth.push(`${name} ${what} ${after.toFixed(0)} MiB in the last third, ${before.toFixed(0)} MiB before`);
    }
  }
  return growth;
}

/** One sample right after a restart does not change it. */
function median(samples: readonly Sample[], name: string): number {
  const values = samples.map(({ mebibytes }) => mebibytes[name] ?? 0).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? 0;
}

function increase(samples: readonly Sample[], name: string): number {
  return Math.max(0, (samples.at(-1)?.mebibytes[name] ?? 0) - (samples[0]?.mebibytes[name] ?? 0));
}
