/** From the start of a process to its end: what was opened is closed in the opposite order, once, within a time. */
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logging.ts';
import { onToldToEnd } from './worker-shutdown.ts';

type Closing = { readonly what: string; readonly close: () => Promise<unknown> };

const deadlineMs = 20_000;
const insistsAfterMs = 1_000;

export class Lifecycle {
  readonly #logger: Logger;
  readonly #drainMs: number;
  readonly #leavings: Closing[] = [];
  readonly #closings: Closing[] = [];
  readonly #stopping = new AbortController();
  readonly #failing = new AbortController();
  #stopped: Promise<number> | undefined;
  #toldAt: number | undefined;

  constructor(logger: Logger, drainMs = 0) {
    this.#logger = logger;
    this.#drainMs = drainMs;
  }

  /** What is done, the last that was told first, while everything is still open. */
  onLeave(what: string, leave: () => Promise<unknown>): void {
    this.#leavings.push({ what, close: leave });
  }

  /** For whoever sends callers here to see that we are not ready any more. What cannot go on does not serve on. */
  async drain(): Promise<void> {
    if (this.#drainMs === 0) return;
    await sleep(this.#drainMs, undefined, { signal: this.#failing.signal }).catch(() => undefined);
  }

  onStop(what: string, close: () => Promise<unknown>): void {
    this.#closings.push({ what, close });
  }

  /** Aborts as the closing begins: what lasts as long as its caller likes would keep the rest from closing. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Signals and errors nobody met. Who is told again a while later does not wait. */
  listen(): void {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        // A signal may go to a whole group: the primary hears it too and tells its workers in its own time.
        if (!cluster.isWorker) this.#told(name);
      });
    }
    if (cluster.isWorker) onToldToEnd(() => this.#told('the primary'));
    // An error that nobody met leaves the process in a state nobody thought of: it ends, and is started anew.
    for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(name, (err: unknown) => {
        this.#logger.fatal({ err }, 'an error nobody met; stopping');
        this.fail();
      });
    }
  }

  #told(by: string): void {
    // One Ctrl-C comes twice: from the terminal, and handed on by who started us.
    if (this.#toldAt !== undefined && performance.now() - this.#toldAt > insistsAfterMs) process.exit(1);
    if (this.#toldAt !== undefined) return;
    this.#toldAt = performance.now();
    this.#logger.info({ by }, 'stopping');
    this.#end(0, deadlineMs + this.#drainMs);
  }

  /** What cannot go on ends as a failure, so that whoever keeps it starts it anew. */
  fail(): void {
    this.#failing.abort();
    this.#end(1, deadlineMs);
  }

  #end(code: number, withinMs: number): void {
    const deadline = setTimeout(() => {
      this.#logger.error(`not stopped within ${withinMs} ms; ending`);
      process.exit(1);
    }, withinMs);
    deadline.unref();
    this.#stopped ??= this.#stop();
    void this.#stopped.then((failures) => process.exit(failures > 0 ? 1 : code));
  }

  async #stop(): Promise<number> {
    const failures = await this.#closeAll(this.#leavings);
    this.#stopping.abort();
    return failures + (await this.#closeAll(this.#closings));
  }

  /** How many closings failed; one that fails does not keep the others from being closed. */
  async #closeAll(closings: readonly Closing[]): Promise<number> {
    let failures = 0;
    for (const { what, close } of closings.toReversed()) {
      try {
        await close();
      } catch (err) {
        failures += 1;
        this.#logger.error({ err }, `${what} did not close`);
      }
    }
    return failures;
  }
}
