/**
 * Runs long derivations in short slices, so that other requests are answered in between. Tenancies take turns by the
 * slice; the tasks of one Tenancy run one after the other.
 */
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { submissionTimeoutMs, verdictGraceMs } from '#libs/submission/submitter.ts';

const sliceMs = 4;

/** The cost limit of one request, in fold steps of a book without open Loans: about ten microseconds each. */
export const maxRequestCost = 50_000;

export type ScheduledRequest = Pick<AuthorizedRequest, 'admittedAt' | 'timing' | 'disconnectSignal'> & {
  readonly tenancy: { readonly id: string };
};

/** Runs one slice of a task. Returns whether the task is finished. */
type Task = () => Promise<boolean>;

export class FairScheduler {
  readonly #now: () => number;
  /** By Tenancy, the one whose turn is next first. The first task of each Tenancy is in progress. */
  readonly #tasks = new Map<string, Task[]>();
  #isRunning = false;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** As `run`, but what one slice is enough for does not wait for longer work of its Tenancy. */
  async runSoon<T>(request: ScheduledRequest, work: Iterator<void, T>): Promise<T> {
    const result = await request.timing.measure('derive', () => runSlice(work));
    return result ?? this.run(request, work);
  }

  /**
   * `work` may be interrupted wherever it yields. Rejects where the request would time out before it is done, and where work
   * that does not continue earlier work of the request starts too late.
   */
  run<T>(request: ScheduledRequest, work: Iterator<void, T>, { isContinued = false } = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const runSlice = this.#slicesOf(request, work, { isContinued, resolve });
      const task: Task = () =>
        runSlice().catch((cause: unknown) => {
          reject(cause);
          return true;
        });
      const { id } = request.tenancy;
      const waiting = this.#tasks.get(id);
      if (waiting === undefined) this.#tasks.set(id, [task]);
      else waiting.push(task);
      if (this.#isRunning) return;
      this.#isRunning = true;
      queueMicrotask(() => void this.#runAll());
    });
  }

  async #runAll(): Promise<void> {
    for (const [tenantId, tasks] of this.#tasks) {
      const isFinished = await tasks[0]?.();
      if (isFinished) tasks.shift();
      // Moves the Tenancy to the end of the iteration, or out of it.
      this.#tasks.delete(tenantId);
      if (tasks.length > 0) this.#tasks.set(tenantId, tasks);
      await new Promise(setImmediate);
    }
    this.#isRunning = false;
  }

  #slicesOf<T>(
    request: ScheduledRequest,
    work: Iterator<void, T>,
    { isContinued, resolve }: { readonly isContinued: boolean; readonly resolve: (result: T) => void },
  ): Task {
    const { admittedAt, timing } = request;
    let disconnected: AbortSignal | undefined;
    return async () => {
      const now = this.#now();
      if (!isContinued && disconnected === undefined && now > admittedAt + submissionTimeoutMs) {
        throw new DependencyUnavailableError('scheduler: the derivation did not start in time');
      }
      disconnected ??= request.disconnectSignal();
      if (disconnected.aborted || now > admittedAt + submissionTimeoutMs + verdictGraceMs) {
        throw new DependencyUnavailableError('scheduler: the derivation did not finish in time');
      }
      const result = await timing.measure('derive', () => runSlice(work));
      if (result === undefined) return false;
      resolve(result);
      return true;
    };
  }
}

/** Undefined where the work is not finished. */
function runSlice<T>(work: Iterator<void, T>): T | undefined {
  const end = performance.now() + sliceMs;
  do {
    const step = work.next();
    if (step.done === true) return step.value;
  } while (performance.now() < end);
  return undefined;
}
