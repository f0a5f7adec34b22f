/** A command that is done ends, whatever its drivers still hold open: the shell waits, or a schedule does. */

const soonMs = 5_000;

/**
 * With the code that is to be told, and when all that was told is taken: whoever reads it may be slow. Where nothing is
 * held open, the process has ended before.
 */
export function endSoon(withinMs = soonMs): void {
  // A reader that has left changes nothing of what came of the command.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.stdout.write('', () => {
    process.stderr.write('', () => {
      setTimeout(() => process.exit(), withinMs).unref();
    });
  });
}
