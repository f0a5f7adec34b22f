/**
 * Long derivations, one at a time and in small pieces: whoever asks for little is answered between two of them, however
 * much one caller asks to be derived. Tenancies take turns.
 */
import type { Admitted } from '#libs/door/handler.ts';
import { StoreUnavailable } from '#libs/store/unavailable.ts';
import { graceMs, patienceMs } from '#libs/submission/patience.ts';

/** Of the thread at a time. */
const pieceMs = 4;

export type Asker = Pick<Admitted, 'admittedAt' | 'timing' | 'gone'> & { readonly tenancy: { readonly id: string } };

export class Aside {
  readonly #now: () => number;
  /** By Tenancy, whose turn is next first. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  #isBusy = false;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Derives what stops wherever it may be interrupted. Nothing is derived for who will have been answered before it is done. */
  derive<T>(asked: Asker, work: Iterator<void, T>): Promise<T> {
    return new Promise((answer, fail) => {
      const derive = () => this.#derive(asked, work).then(answer, fail);
      const { id } = asked.tenancy;
      const theirs = this.#waiting.get(id);
      if (theirs === undefined) this.#waiting.set(id, [derive]);
      else theirs.push(derive);
      if (this.#isBusy) return;
      this.#isBusy = true;
      queueMicrotask(() => void this.#takeTurns());
    });
  }

  async #takeTurns(): Promise<void> {
    for (const [id, [next, ...others]] of this.#waiting) {
      this.#waiting.delete(id);
      if (others.length > 0) this.#waiting.set(id, others);
      await next?.();
    }
    this.#isBusy = false;
  }

  async #derive<T>({ admittedAt, timing, gone }: Asker, work: Iterator<void, T>): Promise<T> {
    if (this.#now() > admittedAt + patienceMs) throw new StoreUnavailable('others derive for too long');
    const left = gone();
    for (;;) {
      if (left.aborted || this.#now() > admittedAt + patienceMs + graceMs)
        throw new StoreUnavailable('it took too long');
      const done = await timing.measure('derive', () => pieceOf(work));
      if (done !== undefined) return done;
      await new Promise(setImmediate);
    }
  }
}

/** What it came to, undefined where there is more to do. */
function pieceOf<T>(work: Iterator<void, T>): T | undefined {
  const until = performance.now() + pieceMs;
  do {
    const step = work.next();
    if (step.done === true) return step.value;
  } while (performance.now() < until);
  return undefined;
}
