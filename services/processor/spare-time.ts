/** The time that other processes leave to one that can wait: they must not be slower because of it. */
import { cpus } from 'node:os';

/** Also where nothing is left. */
const minShare = 0.1;

/** Of the time since the call before, the share in which the cores did nothing for other processes, at least a tenth. */
export function spareTime(read = readTimes): () => number {
  let before = read();
  return () => {
    const now = read();
    const ofOthers = now.busy - before.busy - (now.own - before.own);
    const share = 1 - ofOthers / Math.max(now.total - before.total, 1);
    before = now;
    return Math.min(Math.max(share, minShare), 1);
  };
}

/** Of all cores, in milliseconds. */
function readTimes() {
  const { user, system } = process.cpuUsage();
  let [busy, total] = [0, 0];
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.irq + times.idle;
    total += all;
    busy += all - times.idle;
  }
  return { own: (user + system) / 1_000, busy, total };
}
