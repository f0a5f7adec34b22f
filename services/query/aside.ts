/**
 * Long derivations, one at a time and in small pieces: whoever asks for little is answered between two of them, however
 * much one caller asks to be derived.
 */
import type { Timing } from '#libs/door/timing.ts';
import { StoreUnavailable } from '#libs/store/unavailable.ts';

/** Of the thread at a time. */
const pieceMs = 4;

export class Aside {
  readonly #patienceMs: number;
  #last: Promise<unknown> = Promise.resolve();

  /** Whoever waited longer than that for others is answered by nobody, so nothing is derived for them. */
  constructor(patienceMs = 3_000) {
    this.#patienceMs = patienceMs;
  }

  /** Derives what stops wherever it may be interrupted. */
  async derive<T>(timing: Timing, work: Iterator<void, T>): Promise<T> {
    const asked = performance.now();
    const turn = this.#last.then(async () => {
      if (performance.now() - asked > this.#patienceMs) throw new StoreUnavailable('others derive for too long');
      for (;;) {
        const done = await timing.measure('derive', () => pieceOf(work));
        if (done !== undefined) return done;
        await new Promise(setImmediate);
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
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
