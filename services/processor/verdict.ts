/** The verdict on one submission. */
import type { VerdictMessage } from '#libs/database/verdict-delivery.ts';
import type { AnswerRecord } from '#libs/ledger/book-decider.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { DecodedEntry } from './log-entry.ts';

/** A refusal, or a function that renders the answer. It is called while the database works on the commit. */
export type VerdictOutcome = Refusal | (() => AnswerRecord);

export class SubmissionVerdict {
  readonly record: DecodedEntry['record'];
  readonly partition: number;
  readonly item: number;
  readonly outcome: VerdictOutcome;
  #renderError: unknown;
  #message: VerdictMessage | undefined;

  constructor(record: DecodedEntry['record'], partition: number, item: number, outcome: VerdictOutcome) {
    this.record = record;
    this.partition = partition;
    this.item = item;
    this.outcome = outcome;
  }

  /** Renders the answer at the first call. */
  message(): VerdictMessage {
    this.#message ??= { requestId: this.record.request_id, item: this.item, outcome: this.#rendered() };
    return this.#message;
  }

  get renderError(): unknown {
    return this.#renderError;
  }

  /** An answer that cannot be rendered becomes an internal error and does not hold back the other verdicts. */
  #rendered(): VerdictMessage['outcome'] {
    if (typeof this.outcome !== 'function') return this.outcome;
    try {
      return this.outcome();
    } catch (cause) {
      this.#renderError = cause;
      return refuse('internal_error');
    }
  }
}
