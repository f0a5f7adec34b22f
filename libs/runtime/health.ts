/** Whether a service can do its work, and what it works without: its checks run when `/readyz` is requested. */

/** Resolves where the dependency answers, otherwise rejects. A check that takes too long counts as failed. */
export type ReadinessCheck = () => Promise<unknown>;

export type MissingDependency = { readonly name: string; readonly reason: string };

export type Readiness = {
  readonly status: 'ready' | 'not_ready';
  readonly not_ready: readonly MissingDependency[];
  /** What the service is ready without. Only requests that need data of a missing further database fail; others may be slower. */
  readonly degraded: readonly MissingDependency[];
};

/** Until when a service cannot do its work without a dependency. */
export type RequiredFor = 'serving' | 'starting' | 'nothing';

type MissingOfWorkers = Pick<Readiness, 'not_ready' | 'degraded'>;

interface NamedCheck {
  readonly name: string;
  readonly check: ReadinessCheck;
  readonly requiredFor: RequiredFor;
}

const checkTimeoutMs = 1_500;
// Readiness is requested often; the backing services must not be checked each time.
const cacheMs = 250;

export class Health {
  readonly #checks: NamedCheck[] = [];
  #source: (() => Promise<MissingOfWorkers>) | undefined;
  #phase: 'starting' | 'running' | 'stopping' = 'starting';
  #cached: { readonly expiresAt: number; readonly readiness: Promise<Readiness> } | undefined;

  /** A dependency that is not required is reported as degraded and does not change the status. */
  addCheck(name: string, check: ReadinessCheck, requiredFor: RequiredFor = 'serving'): void {
    this.#checks.push({ name, check, requiredFor });
  }

  /** Adds what the workers of a primary are missing. */
  addSource(source: () => Promise<MissingOfWorkers>): void {
    this.#source = source;
  }

  /** Every dependency that may be reported as degraded by this process. */
  get optionalDependencies(): readonly string[] {
    return this.#checks.filter(({ requiredFor }) => requiredFor !== 'serving').map(({ name }) => name);
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
    const notReady: MissingDependency[] = [];
    const degraded: MissingDependency[] = [];
    const ofWorkers = this.#source?.();
    const results = await Promise.all(this.#checks.map(findFault));
    for (const [index, { name, requiredFor }] of this.#checks.entries()) {
      const reason = results[index];
      if (reason === undefined) continue;
      const isRequired = requiredFor === 'serving' || (requiredFor === 'starting' && this.#phase === 'starting');
      (isRequired ? notReady : degraded).push({ name, reason });
    }
    if (this.#phase !== 'running') notReady.push({ name: 'service', reason: `is ${this.#phase}` });
    const missing = await ofWorkers;
    addMissing(notReady, missing?.not_ready);
    addMissing(degraded, missing?.degraded);
    return { status: notReady.length === 0 ? 'ready' : 'not_ready', not_ready: notReady, degraded };
  }
}

async function findFault({ check }: NamedCheck): Promise<string | undefined> {
  try {
    await withTimeout(check);
    return undefined;
  } catch (cause) {
    return reasonOf(cause);
  }
}

/** Each dependency is listed once. */
function addMissing(list: MissingDependency[], added: readonly MissingDependency[] = []): void {
  const names = new Set(list.map(({ name }) => name));
  list.push(...added.filter(({ name }) => !names.has(name)));
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
