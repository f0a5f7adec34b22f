/** How a book stood in the one moment in which a page was read, as the statement of the page tells it beside a row. */
import type { Moment } from '#libs/calendar/moment.ts';

export interface BookStood {
  /** How many facts it held. */
  readonly sequence: number;
  /** When the last of them was recorded. */
  readonly recordedAt: Moment;
}

/** Null where the book is there no more. */
export type StoodTuple = readonly [sequence: number, recordedAt: Moment] | null;

/** Of a book that is there no more nothing can be derived: it stands as none does. */
export function stoodOf(stood: StoodTuple): BookStood {
  const [sequence, recordedAt] = stood ?? [0, 0 as Moment];
  return { sequence, recordedAt };
}
