/** The release of a parked book: an operator's fact that lets the book continue and names the submissions to drop. */

import type { BookDecider, Submission } from '#libs/ledger/book-decider.ts';

export const releaseOperation = 'releaseBook';
export const releasedKind = 'released';

/** A dropped submission is named by its log position `partition/offset/item`. */
export type ReleaseBody = { readonly basis: string; readonly drop: readonly string[] };

export function droppedPositions({ body }: Submission): ReadonlySet<string> {
  const { drop } = body as ReleaseBody;
  return new Set(drop);
}

/** The decider with the release operation added. `countFact` counts a fact that changes nothing else of the book. */
export function withRelease<Book>(decider: BookDecider<Book>, countFact: (book: Book) => Book): BookDecider<Book> {
  return {
    ...decider,
    decide(book, submission, recordedAt) {
      if (submission.operation !== releaseOperation) return decider.decide(book, submission, recordedAt);
      const { body, actor } = submission;
      return {
        facts: [{ kind: releasedKind, body: JSON.stringify({ ...body, actor }), counts: false }],
        book: countFact(book),
        answer: () => ({ status: 200, body: '{}' }),
      };
    },
    replay: (book, fact) => (fact.kind === releasedKind ? countFact(book) : decider.replay(book, fact)),
  };
}
