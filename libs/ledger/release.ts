/**
 * A parked book goes on because a person says so: a fact of the book, whichever kind it is of, that says who, why and
 * what was dropped. Pure.
 */
import type { BookDecider, Submission } from './book-decider.ts';

export const releaseOperation = 'releaseBook';
export const releasedKind = 'released';

/** What a person says of it; a place is `partition/offset/item`. */
export interface ReleaseBody {
  readonly basis: string;
  readonly drop: readonly string[];
}

/** The places a release drops. */
export function droppedBy({ body }: Submission): ReadonlySet<string> {
  return new Set((body as unknown as ReleaseBody).drop);
}

/** `withOneMore` is the book with a fact that changes nothing of it but how many it holds. */
export function releasable<B>(kind: BookDecider<B>, withOneMore: (book: B) => B): BookDecider<B> {
  return {
    ...kind,
    decide(book, submission, at) {
      if (submission.operation !== releaseOperation) return kind.decide(book, submission, at);
      const { body, actor } = submission;
      return {
        facts: [{ kind: releasedKind, body: JSON.stringify({ ...body, actor }), counts: false }],
        book: withOneMore(book),
        answer: () => ({ status: 200, body: '{}' }),
      };
    },
    replay: (book, fact) => (fact.kind === releasedKind ? withOneMore(book) : kind.replay(book, fact)),
  };
}
