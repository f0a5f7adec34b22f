/** Whether facts follow from the request that is kept with them: the same book, asked the same again, records the same. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { AdmissionResult, BookDecider, NewFact, Submission } from '#libs/ledger/book-decider.ts';
import type { Json } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { type Bound, type Difference, differenceOf, standIns } from './same.ts';

/** A fact as it is stored, with what was recorded beside it. */
export interface KeptFact {
  readonly kind: string;
  readonly body: string;
  readonly counts: boolean;
  readonly occurredOn: number | null;
  readonly loanId: string | null;
  readonly eventId: string | null;
  readonly merchantRef: string | null;
  /** Of the Loan it issued: the product version and the Client it is listed under. */
  readonly loan: Json;
  readonly listed: Json;
}

export interface Recorded {
  readonly facts: readonly KeptFact[];
  /** What its reference names. */
  readonly subject: string | null;
}

export type Anew =
  | { readonly outcome: 'same' }
  | { readonly outcome: 'different'; readonly what: string; readonly difference: Difference | undefined }
  /** What the request had looked up is not known any more. */
  | { readonly outcome: 'unknown' };

export interface ToDecide {
  readonly kind: BookDecider<unknown>;
  /** As it stood before the facts. */
  readonly book: unknown;
  readonly submission: Omit<Submission, 'ids'>;
  readonly at: Moment;
  readonly recorded: Recorded;
}

export function decidedAnew({ kind, book, submission, at, recorded }: ToDecide): Anew {
  let decided: AdmissionResult<unknown>;
  try {
    decided = kind.decide(book, { ...submission, ids: standIns }, at);
  } catch (fault) {
    // With nothing looked up the book may have nothing to decide by.
    if (submission.resolved === null) return { outcome: 'unknown' };
    return different('its request cannot be decided anew', { at: '', expected: String(fault), found: null });
  }
  if (isRefusal(decided)) {
    return different('its request would be refused', { at: '', expected: decided.code, found: null });
  }
  return compared(decided.facts, decided.subject, recorded);
}

function compared(decided: readonly NewFact[], subject: string | undefined, { facts, subject: named }: Recorded): Anew {
  if (decided.length !== facts.length) {
    const counts = { at: '', expected: decided.length, found: facts.length };
    return different('its request makes another number of facts', counts);
  }
  const bound: Bound = new Map();
  for (const [nth, fact] of decided.entries()) {
    const difference = differenceOf(saidBy(fact), saidByKept(facts[nth] as KeptFact), bound);
    if (difference !== undefined) return different('it is not what its request asks for', difference);
  }
  // A reference that is recorded names what was made.
  if (named !== null && subject !== undefined) {
    const difference = differenceOf(subject, named, bound, '/subject');
    if (difference !== undefined) return different('its reference names something else', difference);
  }
  return { outcome: 'same' };
}

function different(what: string, difference: Difference): Anew {
  return { outcome: 'different', what, difference };
}

function saidBy({ kind, body, counts, occurredOn, loanId, eventId, merchantRef, loan, listed }: NewFact): Json {
  return {
    kind,
    body: JSON.parse(body) as Json,
    counts,
    occurredOn: occurredOn ?? null,
    loanId: loanId ?? null,
    eventId: eventId ?? null,
    merchantRef: merchantRef ?? null,
    loan:
      loan === undefined
        ? null
        : {
            clientId: loan.clientId,
            reference: loan.reference,
            configurationId: loan.configurationId,
            configurationVersion: loan.configurationVersion,
          },
    listed: listed === undefined ? null : { ...listed, row: JSON.parse(listed.row) as Json },
  };
}

function saidByKept({ body, ...fact }: KeptFact): Json {
  return { ...fact, body: JSON.parse(body) as Json };
}
