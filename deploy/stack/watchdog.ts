/**
 * Outlives the starter of a stack, however that ends. Its standard input is a pipe that only the starter holds: when
 * it closes, whatever the starter left running in the folder is stopped, and the files that tell of it go. After a clean stop there is nothing left.
 */

import { clear } from './halt.ts';
import { release } from './owner.ts';

const [dir, starter, ...tells] = process.argv.slice(2);
if (dir === undefined || starter === undefined) throw new Error('watchdog FOLDER PID [FILE…]');

// The terminal's Ctrl-C is the starter's business; it then closes the pipe.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

process.stdin.resume();
process.stdin.on('end', async () => {
  // Nobody listens any more; what cannot be stopped is told to the next who starts in the folder.
  if (await release(dir, Number(starter), () => clear(dir, tells, () => undefined))) process.exitCode = 0;
});
