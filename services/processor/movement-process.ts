/**
 * Runs the follower of movements in a process of its own, with a heap of its own: a fold that needs too much memory ends
 * that process and not the processor. It has a lower priority than the processor.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import type { Environment } from '#libs/runtime/config.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { maxReportAgeMs } from './follower-reports.ts';
import type { FollowerState } from './movement-follower.ts';

export type MessageToFollower =
  | { readonly type: 'assign'; readonly partitions: readonly number[] }
  | { readonly type: 'stop' };

export interface MovementProcessOptions {
  /** The partitions that the processor owns now. */
  readonly partitions: () => Iterable<number>;
  readonly env: Environment;
  readonly logger: Logger;
}

const assignIntervalMs = 1_000;
const restartDelayMs = 5_000;
const stopTimeoutMs = 3_000;
/** Below the processor, which must not wait for it, but not so low that a busy machine never runs it. */
const nicenessAboveProcessor = 5;
const maxNiceness = 19;
/** Of the heap of the processor. */
const heapShare = 0.5;
/** With less it could not even start and compute the movements of small books. */
const minHeapMebibytes = 128;
const nothingWaits: FollowerState = { behind: 0, stoppedPartitions: 0, unknownPartitions: 0, oldestSeconds: 0 };
const entry = fileURLToPath(new URL('./movement-process-entry.ts', import.meta.url));

export class MovementProcess {
  readonly #options: MovementProcessOptions;
  #child: ChildProcess | undefined;
  /** The last one, also of an earlier process: what waited then waits still, until another process reports. */
  #report = { state: nothingWaits, receivedAt: 0 };
  /** The process that runs now has reported. */
  #hasReported = false;
  #isStopped = false;
  #restart: NodeJS.Timeout | undefined;
  readonly #assign: NodeJS.Timeout;

  constructor(options: MovementProcessOptions) {
    this.#options = options;
    this.#start();
    this.#assign = setInterval(
      () => this.#send({ type: 'assign', partitions: [...options.partitions()] }),
      assignIntervalMs,
    );
    this.#assign.unref();
  }

  /** Without a recent report, nothing is known of any partition. */
  get state(): FollowerState {
    const owned = [...this.#options.partitions()].length;
    if (owned === 0) return nothingWaits;
    const { state, receivedAt } = this.#report;
    const ageMs = performance.now() - receivedAt;
    const isKnown = this.#hasReported && ageMs < maxReportAgeMs;
    return {
      ...state,
      unknownPartitions: isKnown ? state.unknownPartitions : owned,
      oldestSeconds: state.oldestSeconds === 0 ? 0 : state.oldestSeconds + ageMs / 1_000,
    };
  }

  /** The batch in flight is finished where that takes no longer than a few seconds. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#assign);
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    this.#send({ type: 'stop' });
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  }

  #start(): void {
    const child = this.#fork();
    this.#child = child;
    if (child === undefined) return;
    child.on('message', (state) => {
      if (this.#child !== child) return;
      this.#report = { state: state as FollowerState, receivedAt: performance.now() };
      this.#hasReported = true;
    });
    child.once('exit', (code, signal) => this.#onExit({ code, signal }));
    child.on('error', (err) => {
      // Without a process there is no exit.
      if (child.pid === undefined) this.#onExit({ err });
    });
    if (child.pid !== undefined) lowerPriority(child.pid);
  }

  /** Some errors of the system are emitted by the child, others are thrown, for example where no memory is left. */
  #fork(): ChildProcess | undefined {
    try {
      return fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], ...nodeSettings(this.#options.env) });
    } catch (err) {
      this.#onExit({ err });
      return undefined;
    }
  }

  #onExit(how: object): void {
    this.#child = undefined;
    this.#hasReported = false;
    if (this.#isStopped) return;
    const message = 'the process of movements exited; starting another';
    this.#options.logger.error({ event: 'movements.process_exited', ...how }, message);
    this.#restart = setTimeout(() => this.#start(), restartDelayMs);
    this.#restart.unref();
  }

  /** A process that has just ended is reported by its exit. */
  #send(message: MessageToFollower): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }
}

/**
 * A heap of its own size, whatever the options of the processor are: a heap given as a percentage would be that of the
 * processor once more, and it wins over any other option.
 */
export function nodeSettings(env: Environment, heapLimitBytes = getHeapStatistics().heap_size_limit) {
  const heapMebibytes = Math.max(minHeapMebibytes, Math.floor((heapLimitBytes * heapShare) / 1024 / 1024));
  const { NODE_OPTIONS = '', ...others } = env;
  const options = NODE_OPTIONS.replace(/--max[-_](?:old|semi)[-_]space[-_]size(?:[-_]percentage)?[= ]\S+/g, '');
  return {
    execArgv: [`--max-heap-size=${heapMebibytes}`],
    env: { ...others, NODE_OPTIONS: options },
  };
}

/** The threads that it starts later inherit it. Where the system refuses, movements compete with the processor. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + nicenessAboveProcessor, maxNiceness));
  } catch {
    // It may have ended, too.
  }
}
