/** What all operations on a Client's book share: their form, and the admission of a fact to the fold. */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import type { FactAddition } from '#libs/ledger/book.ts';
import type { AdmissionResult, Submission } from '#libs/ledger/book-decider.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { lineOf, type ReadFact } from '#libs/ledger/stored-facts.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { Schema } from '#libs/schema/schema.ts';

/** `at` is the moment of recording. */
export type DecisionContext = { readonly at: Moment; readonly markets: Markets; readonly calendars: Calendars };

/** One operation on a Client's book. The edge checks the body against the schema; its members are not checked again. */
export interface ClientOperation<Body = unknown, Resolved = unknown> {
  readonly body: Schema<Body>;
  /** A method, so that operations with different bodies can be listed together. */
  decide(
    book: ClientBook,
    submission: Submission<Body, Resolved>,
    context: DecisionContext,
  ): AdmissionResult<ClientBook>;
}

/** A configuration version as ingress looked it up. */
export type ResolvedConfiguration = { readonly archetype: Archetype; readonly values: JsonObject };

/** The book after the fact, and the outcome of the fact's own step in the fold. */
export function admitToBook(
  book: ClientBook,
  fact: ReadFact,
  stored: { readonly kind: string; readonly body: string },
  context: DecisionContext,
): (FactAddition & { readonly after: ClientBook }) | Refusal {
  const seq = book.sequence + 1;
  const at = formatMoment(context.at);
  const added = admitFact(book.folded, { seq, at, line: lineOf(seq, at, stored), ...fact }, context.calendars);
  if (isRefusal(added)) return added;
  return { ...added, after: { ...book, sequence: seq, folded: added.book } };
}

export function mintedId({ operation, ids }: Pick<Submission, 'operation' | 'ids'>, index: number): string {
  const id = ids[index];
  if (id === undefined) {
    throw new Error(`submission of ${operation} carries ${ids.length} identifiers; expected at least ${index + 1}`);
  }
  return id;
}
