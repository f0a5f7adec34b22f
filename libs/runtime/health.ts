/** What a service needs to be of use, asked anew whenever somebody asks the service. */

export type Check = () => Promise<unknown>;

export type Missing = { readonly name: string; readonly reason: string };

export type Readiness = {
  readonly status: 'ready' | 'not_ready';
  /** The names of what is not ready, and why. */
  readonly not_ready: readonly Missing[];
};

const patienceMs = 1_500;
// Balancers and people ask often; the backing services must not feel it.
const freshMs = 250;

export class Health {
  readonly #checks = new Map<string, Check>();
  #others: (() => Promise<readonly Missing[]>) | undefined;
  #phase: 'starting' | 'running' | 'stopping' = 'starting';
  #last: { readonly until: number; readonly answer: Promise<Readiness> } | undefined;

  /** A check resolves where the thing is there and rejects where it is not; one that hangs counts as not there. */
  add(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  /** What others tell that they lack, where they do the work: theirs is lacking here. */
  addOthers(others: () => Promise<readonly Missing[]>): void {
    this.#others = others;
  }

  started(): void {
    if (this.#phase === 'starting') this.#enter('running');
  }

  /** From now on not ready, so that nobody new is sent here while what is under way is finished. */
  stopping(): void {
    this.#enter('stopping');
  }

  ready(): Promise<Readiness> {
    if (this.#last === undefined || Date.now() > this.#last.until) {
      this.#last = { until: Date.now() + freshMs, answer: this.#ask() };
    }
    return this.#last.answer;
  }

  #enter(phase: 'running' | 'stopping'): void {
    this.#phase = phase;
    this.#last = undefined;
  }

  async #ask(): Promise<Readiness> {
    const asked = [...this.#checks].map(async ([name, check]) => {
      try {
        await within(patienceMs, check);
        return undefined;
      } catch (cause) {
        return { name, reason: reasonOf(cause) };
      }
    });
    const others = this.#others?.();
    const failed = (await Promise.all(asked)).filter((one) => one !== undefined);
    if (this.#phase !== 'running') failed.push({ name: 'service', reason: `is ${this.#phase}` });
    const isNamed = new Set(failed.map(({ name }) => name));
    for (const missing of (await others) ?? []) if (!isNamed.has(missing.name)) failed.push(missing);
    return { status: failed.length === 0 ? 'ready' : 'not_ready', not_ready: failed };
  }
}

function within(ms: number, check: Check): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([check(), late]).finally(() => clearTimeout(timer));
}

// An address of a database in a message would carry its password to whoever may ask: the kind of the failure is enough.
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  const code = (inner as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return inner instanceof Error && inner.message.startsWith('no answer') ? inner.message : 'does not answer';
}
