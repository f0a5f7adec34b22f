/** Start to exit of a process: what was opened is closed once, in reverse order, within a time limit. */
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logging.ts';
import { onStopMessage } from './worker-messages.ts';

interface ShutdownStep {
  readonly name: string;
  readonly close: () => Promise<unknown>;
}

const stopTimeoutMs = 20_000;
/** A second signal within this time is taken as the same one: Ctrl-C arrives from the terminal and from the parent. */
const repeatedSignalMs = 1_000;

export class Lifecycle {
  readonly #logger: Logger;
  readonly #drainTimeMs: number;
  readonly #drains: ShutdownStep[] = [];
  readonly #closings: ShutdownStep[] = [];
  readonly #stopping = new AbortController();
  readonly #failing = new AbortController();
  #stopped: Promise<number> | undefined;
  #signalledAt: number | undefined;

  constructor(logger: Logger, drainTimeMs = 0) {
    this.#logger = logger;
    this.#drainTimeMs = drainTimeMs;
  }

  /** Runs while everything is still open, the last one added first. */
  onDrain(name: string, drain: () => Promise<unknown>): void {
    this.#drains.push({ name, close: drain });
  }

  onStop(name: string, close: () => Promise<unknown>): void {
    this.#closings.push({ name, close });
  }

  /** Waits until load balancers have seen that the service is not ready. A failing process does not wait. */
  async drain(): Promise<void> {
    if (this.#drainTimeMs === 0) return;
    await sleep(this.#drainTimeMs, undefined, { signal: this.#failing.signal }).catch(() => undefined);
  }

  /** Aborted when the drain is over: ends streams that would otherwise keep the server open. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Handles signals and uncaught errors. A second, later signal ends the process immediately. */
  listen(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // A signal may reach the whole process group: the primary decides when its workers stop.
        if (!cluster.isWorker) this.#onStopRequest(signal);
      });
    }
    if (cluster.isWorker) onStopMessage(() => this.#onStopRequest('primary'));
    // After an uncaught error the state of the process is unknown: it stops, to be started again.
    for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(name, (err: unknown) => {
        this.#logger.fatal({ event: 'service.uncaught_error', err }, 'uncaught error; stopping');
        this.fail();
      });
    }
  }

  /** Stops the process with exit status 1. */
  fail(): void {
    this.#failing.abort();
    this.#exit(1, stopTimeoutMs);
  }

  #onStopRequest(from: string): void {
    if (this.#signalledAt !== undefined) {
      if (performance.now() - this.#signalledAt > repeatedSignalMs) process.exit(1);
      return;
    }
    this.#signalledAt = performance.now();
    this.#logger.info({ event: 'service.stopping', from }, 'stopping');
    this.#exit(0, stopTimeoutMs + this.#drainTimeMs);
  }

  #exit(status: number, timeoutMs: number): void {
    const timer = setTimeout(() => {
      this.#logger.error({ event: 'service.stop_timeout', timeout_ms: timeoutMs }, 'did not stop in time; exiting');
      process.exit(1);
    }, timeoutMs);
    timer.unref();
    this.#stopped ??= this.#stop();
    void this.#stopped.then((failures) => process.exit(failures > 0 ? 1 : status));
  }

  async #stop(): Promise<number> {
    const failures = await this.#closeAll(this.#drains);
    this.#stopping.abort();
    return failures + (await this.#closeAll(this.#closings));
  }

  /** Returns how many failed; a failure does not prevent the others from being closed. */
  async #closeAll(closings: readonly ShutdownStep[]): Promise<number> {
    let failures = 0;
    for (const { name, close } of closings.toReversed()) {
      try {
        await close();
      } catch (err) {
        failures += 1;
        this.#logger.error({ event: 'service.close_failed', err, resource: name }, `failed to close ${name}`);
      }
    }
    return failures;
  }
}
