/**
 * Those who were let in, each answered after so long whatever it waits for: a store that is there and says nothing would
 * keep them, and their places, for as long as it likes. All of them are looked at together, for a timer for each request
 * costs more. What comes of one afterwards nobody is told.
 */
import type { RouteResult } from '#libs/http/handler.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { Slots } from '#libs/runtime/slot-map.ts';

interface Waiting {
  readonly until: number;
  readonly giveUp: (cause: DependencyUnavailableError) => void;
}

const lookEveryMs = 100;

export class ResponseDeadline {
  readonly #waiting = new Slots<Waiting>();
  readonly #withinMs: number;
  /** Only while somebody is inside. */
  #timer: NodeJS.Timeout | undefined;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  answered(work: Promise<RouteResult>): Promise<RouteResult> {
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref();
    return new Promise((answer, giveUp) => {
      const slot = this.#waiting.put({ until: performance.now() + this.#withinMs, giveUp });
      work.then(
        (outcome) => {
          this.#waiting.clear(slot);
          answer(outcome);
        },
        (cause) => {
          this.#waiting.clear(slot);
          giveUp(cause);
        },
      );
    });
  }

  #look(): void {
    const now = performance.now();
    let isEmpty = true;
    for (const { until, giveUp } of this.#waiting.all()) {
      isEmpty = false;
      // Its place here is given back when its work ends; told twice, a promise keeps to the first.
      if (now > until) giveUp(new DependencyUnavailableError('answer'));
    }
    if (!isEmpty) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
