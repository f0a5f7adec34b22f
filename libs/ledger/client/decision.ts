import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import type { Added } from '#libs/ledger/book.ts';
import type { Admission, Submission } from '#libs/ledger/book-decider.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { lineOf, type ReadFact } from '#libs/ledger/stored-facts.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

/** What a decision reads beside the book and the submission: the moment of entry, and the law by name. */
export type Setting = { readonly at: Moment; readonly markets: Markets; readonly calendars: Calendars };

export type Decision = Admission<ClientBook> | Refusal;

export type Decide = (book: ClientBook, submission: Submission, setting: Setting) => Decision;

/** The folded book with a fact that was admitted, and what the fact's own step came to. */
export function admitted(
  book: ClientBook,
  read: ReadFact,
  stored: { readonly kind: string; readonly body: string },
  setting: Setting,
): (Added & { readonly after: ClientBook }) | Refusal {
  const seq = book.sequence + 1;
  const at = formatMoment(setting.at);
  const entry = { seq, at, line: lineOf(seq, at, stored), ...read };
  const added = admitFact(book.folded, entry, setting.calendars);
  if (isRefusal(added)) return added;
  return { ...added, after: { ...book, sequence: entry.seq, folded: added.book } };
}

export function minted(submission: Submission, nth: number): string {
  const id = submission.ids[nth];
  if (id === undefined) throw new Error(`${submission.operation} needs ${nth + 1} identifiers`);
  return id;
}

/** The act body of a mutation, and what it states of its own. */
export function accountIn(body: JsonObject): {
  readonly act: JsonObject;
  readonly stated: JsonObject;
  readonly on: string;
} {
  const { reference, actor, basis, context, on, ...stated } = body;
  const act = { reference, actor, basis, ...(context === undefined ? {} : { context }) } as JsonObject;
  return { act, stated: stated as JsonObject, on: on as string };
}
