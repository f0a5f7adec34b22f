/** Resolves when the process is told to end: by a signal, or by the end of the one that started it over a channel. */
export function untilTold(): Promise<string> {
  return new Promise((resolve) => {
    // Once only: a second Ctrl-C ends the process at once, and its watchdogs stop what it had started.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve(name));
    process.once('disconnect', () => resolve('disconnect'));
    process.channel?.unref();
  });
}
