/** Resolves when the process is told to end: by a signal, or by the end of the one that started it over a channel. */
export function untilTold(): Promise<string> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        // One Ctrl-C comes twice: from the terminal, and handed on by who started us. A later one means now, and what
        // is left then the watchdogs stop.
        if (toldAt !== undefined && Date.now() - toldAt > insistsAfterMs) process.exit(130);
        toldAt ??= Date.now();
        resolve(name);
      });
    }
    process.once('disconnect', () => resolve('disconnect'));
    process.channel?.unref();
  });
}

const insistsAfterMs = 1_000;
