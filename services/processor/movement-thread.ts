/** Runs the follower of movements in a thread of its own, which takes only the processor time that nothing else needs. */
import { Worker } from 'node:worker_threads';
import type { Logger } from '#libs/runtime/logging.ts';
import type { FollowerState } from './movement-follower.ts';

export type MessageToThread =
  | { readonly type: 'assign'; readonly partitions: readonly number[] }
  | { readonly type: 'stop' };

export interface MovementThreadOptions {
  /** The partitions that the processor owns now. */
  readonly partitions: () => Iterable<number>;
  readonly logger: Logger;
}

const assignIntervalMs = 1_000;
const restartDelayMs = 5_000;
const stopTimeoutMs = 3_000;
/** Beside the heap of the processor. */
const maxOldGenerationSizeMb = 256;
const entry = new URL('./movement-thread-entry.ts', import.meta.url);

export class MovementThread {
  readonly #options: MovementThreadOptions;
  #thread: Worker | undefined;
  #state: FollowerState = { behind: 0, stoppedPartitions: 0 };
  #isStopped = false;
  #restart: NodeJS.Timeout | undefined;
  readonly #assign: NodeJS.Timeout;

  constructor(options: MovementThreadOptions) {
    this.#options = options;
    this.#start();
    this.#assign = setInterval(
      () => this.#send({ type: 'assign', partitions: [...options.partitions()] }),
      assignIntervalMs,
    );
    this.#assign.unref();
  }

  get state(): FollowerState {
    return this.#state;
  }

  /** The batch in flight is finished where that takes no longer than a few seconds. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#assign);
    clearTimeout(this.#restart);
    const thread = this.#thread;
    if (thread === undefined) return;
    const exited = new Promise((resolve) => thread.once('exit', resolve));
    this.#send({ type: 'stop' });
    const timer = setTimeout(() => void thread.terminate(), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  }

  #start(): void {
    const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb } });
    this.#thread = thread;
    let cause: unknown = new Error('the thread of movements exited');
    thread.on('message', (state: FollowerState) => {
      this.#state = state;
    });
    thread.once('error', (error) => {
      cause = error;
    });
    thread.once('exit', () => {
      this.#thread = undefined;
      if (this.#isStopped) return;
      const { logger } = this.#options;
      logger.error(
        { event: 'movements.thread_exited', err: cause },
        'the thread of movements exited; starting another',
      );
      this.#restart = setTimeout(() => this.#start(), restartDelayMs);
      this.#restart.unref();
    });
  }

  #send(message: MessageToThread): void {
    this.#thread?.postMessage(message);
  }
}
