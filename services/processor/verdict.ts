/** What came of one submission, and what its caller is told of it. */

import type { Verdict as Spoken } from '#libs/database/verdicts.ts';
import type { AnswerRecord } from '#libs/ledger/book-decider.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { DecodedEntry } from './log-entry.ts';

/** Refused, or to be rendered: after the batch went on its way to the store, while that is at work. */
export type VerdictOutcome = Refusal | (() => AnswerRecord);

export class Verdict {
  readonly record: DecodedEntry['record'];
  readonly partition: number;
  readonly item: number;
  readonly outcome: VerdictOutcome;
  #fault: unknown;
  #spoken: Spoken | undefined;

  constructor(record: DecodedEntry['record'], partition: number, item: number, outcome: VerdictOutcome) {
    this.record = record;
    this.partition = partition;
    this.item = item;
    this.outcome = outcome;
  }

  /** Rendered the first time it is asked for. */
  say(): Spoken {
    this.#spoken ??= { requestId: this.record.request_id, item: this.item, outcome: this.#rendered() };
    return this.#spoken;
  }

  /** Why its answer could not be rendered, once it was asked for. */
  get fault(): unknown {
    return this.#fault;
  }

  /** One that cannot be said is our own fault, and keeps none of the others from being told. */
  #rendered(): Spoken['outcome'] {
    if (typeof this.outcome !== 'function') return this.outcome;
    try {
      return this.outcome();
    } catch (fault) {
      this.#fault = fault;
      return refuse('internal_error');
    }
  }
}
