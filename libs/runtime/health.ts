/** Whether a service can do its work: its checks run when `/readyz` is requested. */

/** Resolves where the dependency answers, otherwise rejects. A check that takes too long counts as failed. */
export type ReadinessCheck = () => Promise<unknown>;

export type MissingDependency = { readonly name: string; readonly reason: string };

export type Readiness = {
  readonly status: 'ready' | 'not_ready';
  readonly not_ready: readonly MissingDependency[];
};

const checkTimeoutMs = 1_500;
// Readiness is requested often; the backing services must not be checked each time.
const cacheMs = 250;

export class Health {
  readonly #checks = new Map<string, ReadinessCheck>();
  #source: (() => Promise<readonly MissingDependency[]>) | undefined;
  #phase: 'starting' | 'running' | 'stopping' = 'starting';
  #cached: { readonly expiresAt: number; readonly readiness: Promise<Readiness> } | undefined;

  addCheck(name: string, check: ReadinessCheck): void {
    this.#checks.set(name, check);
  }

  /** Adds what the workers of a primary are missing. */
  addSource(source: () => Promise<readonly MissingDependency[]>): void {
    this.#source = source;
  }

  markStarted(): void {
    if (this.#phase === 'starting') this.#enter('running');
  }

  /** Not ready from now on: load balancers send no new callers while requests in progress are finished. */
  markStopping(): void {
    this.#enter('stopping');
  }

  readiness(): Promise<Readiness> {
    if (this.#cached === undefined || Date.now() > this.#cached.expiresAt) {
      this.#cached = { expiresAt: Date.now() + cacheMs, readiness: this.#check() };
    }
    return this.#cached.readiness;
  }

  #enter(phase: 'running' | 'stopping'): void {
    this.#phase = phase;
    this.#cached = undefined;
  }

  async #check(): Promise<Readiness> {
    const checks = [...this.#checks].map(async ([name, check]) => {
      try {
        await withTimeout(check);
        return undefined;
      } catch (cause) {
        return { name, reason: reasonOf(cause) };
      }
    });
    const ofWorkers = this.#source?.();
    const missing = (await Promise.all(checks)).filter((result) => result !== undefined);
    if (this.#phase !== 'running') missing.push({ name: 'service', reason: `is ${this.#phase}` });
    const names = new Set(missing.map(({ name }) => name));
    for (const dependency of (await ofWorkers) ?? []) if (!names.has(dependency.name)) missing.push(dependency);
    return { status: missing.length === 0 ? 'ready' : 'not_ready', not_ready: missing };
  }
}

class CheckTimeoutError extends Error {
  override readonly name = 'CheckTimeoutError';
}

function withTimeout(check: ReadinessCheck): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = new CheckTimeoutError(`no answer within ${checkTimeoutMs} ms`);
    timer = setTimeout(() => reject(error), checkTimeoutMs);
  });
  return Promise.race([check(), timeout]).finally(() => clearTimeout(timer));
}

// The message of a database error may hold an address with its password, and `/readyz` needs no credentials.
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  const code = (inner as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return inner instanceof CheckTimeoutError ? inner.message : 'does not answer';
}
