/** Decides a stored request again on the same book and compares the result with the recorded facts. */
import type { Moment } from '#libs/calendar/moment.ts';
import type { AdmissionResult, BookDecider, NewFact, Submission } from '#libs/ledger/book-decider.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { findDifference, type IdBindings, type JsonDifference, placeholderIds } from './json-difference.ts';

/** A stored fact with the rows that were recorded with it. */
export interface AuditedFact {
  readonly kind: string;
  readonly body: string;
  readonly counts: boolean;
  readonly occurredOn: number | null;
  readonly loanId: string | null;
  readonly eventId: string | null;
  readonly merchantRef: string | null;
  /** The row of the Loan that the fact issued, with its product configuration and Client. */
  readonly loan: Json;
  readonly listed: Json;
}

export interface RecordedSubmission {
  readonly facts: readonly AuditedFact[];
  /** The id of the record that the reference names. */
  readonly subject: string | null;
}

export type RedecisionResult =
  | { readonly outcome: 'same' }
  | { readonly outcome: 'different'; readonly what: string; readonly difference: JsonDifference }
  /** The resolved data of the request is no longer known. */
  | { readonly outcome: 'unknown' };

export interface RedecisionInput {
  readonly decider: BookDecider<unknown>;
  /** The book before the facts. */
  readonly book: unknown;
  readonly submission: Omit<Submission, 'ids'>;
  readonly recordedAt: Moment;
  readonly recorded: RecordedSubmission;
}

export function redecide({ decider, book, submission, recordedAt, recorded }: RedecisionInput): RedecisionResult {
  let decision: AdmissionResult<unknown>;
  try {
    decision = decider.decide(book, { ...submission, ids: placeholderIds }, recordedAt);
  } catch (error) {
    // Without resolved data some requests cannot be decided.
    if (submission.resolved === null) return { outcome: 'unknown' };
    return different('its request cannot be decided again', { pointer: '', expected: String(error), found: null });
  }
  if (isRefusal(decision)) {
    return different('its request would be refused', { pointer: '', expected: decision.code, found: null });
  }
  return compare(decision.facts, decision.subject, recorded);
}

function compare(
  newFacts: readonly NewFact[],
  newSubject: string | undefined,
  { facts, subject }: RecordedSubmission,
): RedecisionResult {
  if (newFacts.length !== facts.length) {
    const difference = { pointer: '', expected: newFacts.length, found: facts.length };
    return different('its request produces another number of facts', difference);
  }
  const bindings: IdBindings = new Map();
  for (const [index, fact] of newFacts.entries()) {
    const difference = findDifference(newFactJson(fact), recordedFactJson(facts[index] as AuditedFact), bindings);
    if (difference !== undefined) return different('it differs from what its request produces', difference);
  }
  // Only a submission with a reference has a recorded subject.
  if (subject !== null && newSubject !== undefined) {
    const difference = findDifference(newSubject, subject, bindings, '/subject');
    if (difference !== undefined) return different('its reference names another record', difference);
  }
  return { outcome: 'same' };
}

function different(what: string, difference: JsonDifference): RedecisionResult {
  return { outcome: 'different', what, difference };
}

function newFactJson(fact: NewFact): Json {
  const { kind, body, counts, occurredOn, loanId, eventId, merchantRef, loan, listed } = fact;
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

function recordedFactJson({ body, ...fact }: AuditedFact): Json {
  return { ...fact, body: withCurrentNames(fact.kind, JSON.parse(body) as JsonObject) };
}

/** Quotes of earlier releases name their Loan by `loanId` alone. */
function withCurrentNames(kind: string, body: JsonObject): JsonObject {
  const loanId = body['loanId'];
  return kind === 'payoff_quoted' && loanId !== undefined ? { loan_id: loanId, ...body } : body;
}
