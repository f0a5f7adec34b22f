/**
 * Long derivations, one at a time and in small pieces: whoever asks for little is answered between two of them, however
 * much one caller asks to be derived. Tenancies take turns.
 */
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { graceMs, patienceMs } from '#libs/submission/deadline.ts';

/** Of the thread at a time. */
const pieceMs = 4;

/** What one question may cost, in steps of a book with nothing open, each about ten microseconds. */
export const mostWork = 50_000;

export type Asker = Pick<AuthorizedRequest, 'admittedAt' | 'timing' | 'gone'> & {
  readonly tenancy: { readonly id: string };
};

/** Derives one more piece of a question; whether that was its last. */
type NextPiece = () => Promise<boolean>;

export class Aside {
  readonly #now: () => number;
  /** By Tenancy, whose turn is next first; of each Tenancy the first question is under way. */
  readonly #waiting = new Map<string, NextPiece[]>();
  #isBusy = false;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Derives what stops wherever it may be interrupted. Nothing is derived for who will have been answered before it is done. */
  derive<T>(asked: Asker, work: Iterator<void, T>): Promise<T> {
    return new Promise((answer, fail) => {
      const piece = this.#pieceByPiece(asked, work, answer);
      const nextPiece = () =>
        piece().catch((cause: unknown) => {
          fail(cause);
          return true;
        });
      const { id } = asked.tenancy;
      const theirs = this.#waiting.get(id);
      if (theirs === undefined) this.#waiting.set(id, [nextPiece]);
      else theirs.push(nextPiece);
      if (this.#isBusy) return;
      this.#isBusy = true;
      queueMicrotask(() => void this.#takeTurns());
    });
  }

  /** A piece for each Tenancy that waits, round and round: however much one asks, no other waits for more than its share. */
  async #takeTurns(): Promise<void> {
    for (const [id, questions] of this.#waiting) {
      const isDone = await questions[0]?.();
      if (isDone) questions.shift();
      // To the end of the row, or out of it.
      this.#waiting.delete(id);
      if (questions.length > 0) this.#waiting.set(id, questions);
      await new Promise(setImmediate);
    }
    this.#isBusy = false;
  }

  #pieceByPiece<T>({ admittedAt, timing, gone }: Asker, work: Iterator<void, T>, answer: (done: T) => void): NextPiece {
    let left: AbortSignal | undefined;
    return async () => {
      const now = this.#now();
      if (left === undefined && now > admittedAt + patienceMs) {
        throw new DependencyUnavailableError('others derive for too long');
      }
      left ??= gone();
      if (left.aborted || now > admittedAt + patienceMs + graceMs)
        throw new DependencyUnavailableError('it took too long');
      const done = await timing.measure('derive', () => pieceOf(work));
      if (done === undefined) return false;
      answer(done);
      return true;
    };
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
