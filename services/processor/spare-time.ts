/** The share of its time that a process which can wait may work, so that others are not slower because of it. */
import { cpus } from 'node:os';

const minShare = 0.1;
/** In cores. With less, others wait for the processor now and then, although it is idle in between. */
const idleReserve = 0.6;

/** Call it once a second: the share falls by half while the cores are in use, and rises by what they have left. */
export function spareTime(read = readTimes): () => number {
  let before = read();
  let share = 1;
  return () => {
    const now = read();
    const idleCores = (now.cores * (now.idle - before.idle)) / Math.max(now.total - before.total, 1);
    before = now;
    const next = idleCores < idleReserve ? share / 2 : share + idleCores / 2;
    share = Math.min(Math.max(next, minShare), 1);
    return share;
  };
}

/** Of all cores of the machine, in milliseconds. */
function readTimes() {
  let [idle, total] = [0, 0];
  const cores = cpus();
  for (const { times } of cores) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { cores: cores.length, idle, total };
}
