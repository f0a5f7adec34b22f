/** Decides supposed facts as their own routes would, each on the book that the previous one left. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { StageTimer } from '#libs/database/database.ts';
import { type Lookups, lookUpIssuanceTerms } from '#libs/database/immutable-lookups.ts';
import { referenceKey } from '#libs/database/references.ts';
import { findReferencesInCell } from '#libs/database/reserved-references.ts';
import type { Namespace, RecordedReference, Submission } from '#libs/ledger/book-decider.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { affectedPositionOf } from '#libs/ledger/client/affected-position.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import { foldCost } from '#libs/ledger/fold-cost.ts';
import type { Json } from '#libs/schema/json.ts';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import type { ReadContext } from './read-context.ts';
import {
  isIssuance,
  type SimulateRequest,
  type SupposedSubmission,
  toSubmission,
  withIssuedLoan,
} from './supposed-submission.ts';

/** The book before the simulation; `from` is when the first supposed fact is recorded. */
export type SimulationStart = { readonly clientId: string; readonly book: ClientBook; readonly from: Moment };

/** A supposed fact as its submission, or why its request would be refused before that. */
type ParsedFact = SupposedSubmission | Refusal;

export interface Simulation {
  readonly facts: readonly ParsedFact[];
  /** The references that the start book has recorded, by `referenceKey`. */
  readonly references: ReadonlyMap<string, RecordedReference>;
  readonly start: SimulationStart;
  readonly requestId: string;
}

export type SimulationResult = { readonly outcomes: readonly object[]; readonly book: ClientBook };

/**
 * Looks up everything the supposed facts need, as of the moment of the book. A fact and its reference are committed
 * together, so a later look-up finds every reference of the book; those of facts recorded since are ignored.
 */
export async function prepareSimulation(
  context: ReadContext,
  scheduler: FairScheduler,
  request: SimulateRequest,
  start: SimulationStart,
): Promise<Simulation> {
  const { timing } = request;
  const parsed = await scheduler.run(request, parseFacts(request));
  const facts = await withIssuanceTerms(context, parsed, timing);
  const names = facts.flatMap((fact) => (isRefusal(fact) ? [] : [referenceName(fact.submission)]));
  const found = await timing.measure('db', () => findReferencesInCell(context.databases, names));
  const references = new Map([...found].filter(([, reference]) => !isRecordedSince(start.book, reference)));
  return { facts, references, start, requestId: request.requestId };
}

/** Yields before each fact. Where all facts cost more than `maxCost`, returns how many of them do not. */
export function* runSimulation(
  simulation: Simulation,
  maxCost: number,
): CooperativeTask<SimulationResult | { readonly affordableFacts: number }> {
  const { clientId, from } = simulation.start;
  const decider = deciderFor(clientBookId(clientId));
  const supposedDigests = new Map<string, string>();
  const issuedLoans = new Map<string, string>();
  let book = yield* copyBook(simulation.start.book);
  let cost = 0;
  const outcomes: object[] = [];
  for (const [index, fact] of simulation.facts.entries()) {
    yield;
    const submission = isRefusal(fact) ? fact : withIssuedLoan(fact, issuedLoans);
    if (isRefusal(submission)) {
      outcomes.push(refusalOutcome(simulation, submission));
      continue;
    }
    const repeated = repeatOutcome(simulation, submission, supposedDigests);
    if (repeated !== undefined) {
      noteIssuedLoan(submission, repeated.subject, issuedLoans);
      outcomes.push(repeated.outcome);
      continue;
    }
    // Counted before the decision: a fact refused for what the fold says was folded too.
    cost += costOf(book, submission);
    if (cost > maxCost) return { affordableFacts: index };
    const decided = decider.decide(book, submission, (from + index) as Moment);
    if (isRefusal(decided)) {
      outcomes.push(refusalOutcome(simulation, decided));
      continue;
    }
    book = decided.book as ClientBook;
    supposedDigests.set(referenceKey(referenceName(submission)), submission.digest);
    noteIssuedLoan(submission, decided.subject, issuedLoans);
    outcomes.push({ status: decided.answer().status });
  }
  return { outcomes, book };
}

/** A later fact may name the Loan by its reference. A repeated issuance names the Loan that it issued before. */
function noteIssuedLoan(submission: Submission, loanId: string | undefined, issuedLoans: Map<string, string>): void {
  if (isIssuance(submission) && loanId !== undefined) issuedLoans.set(submission.reference as string, loanId);
}

/** A submission whose reference is recorded or was supposed before; undefined for a new reference. */
function repeatOutcome(
  simulation: Simulation,
  submission: Submission,
  supposedDigests: ReadonlyMap<string, string>,
): { readonly outcome: object; readonly subject?: string } | undefined {
  const key = referenceKey(referenceName(submission));
  const supposed = supposedDigests.get(key);
  const recorded = supposed === undefined ? simulation.references.get(key) : undefined;
  const digest = supposed ?? recorded?.digest;
  if (digest === undefined) return undefined;
  if (digest !== submission.digest) return { outcome: refusalOutcome(simulation, refuse('reference_reused')) };
  return { outcome: { status: 200 }, ...(recorded === undefined ? {} : { subject: recorded.subject }) };
}

function refusalOutcome({ requestId }: Simulation, refusal: Refusal): object {
  const { request_id: _ignored, ...envelope } = refusalBody(refusal, requestId);
  return { status: refusal.status, ...envelope };
}

/**
 * A copy, because supposed facts must not grow into the book that other reads share. Encoded and decoded, so that its
 * checkpoints, and with them the cost of a simulation, do not depend on what this process did before.
 */
function* copyBook(book: ClientBook): CooperativeTask<ClientBook> {
  const decider = deciderFor(clientBookId(book.clientId));
  const copy = yield* decider.decode(yield* decider.encode(book));
  if (copy === undefined)
    throw new Error(`the snapshot of Client ${book.clientId} cannot be decoded after encoding it`);
  return copy as ClientBook;
}

/** In fold steps of a book without open Loans; deciding is one step. */
function costOf(book: ClientBook, submission: Submission): number {
  const position = affectedPositionOf(book, submission);
  if (position === undefined) return 1;
  // Product limits check every Loan of the Client.
  const checkedLoans = position.type === 'issuance' ? book.folded.loans.length : 0;
  return 1 + checkedLoans + foldCost(book.folded, position);
}

function isRecordedSince({ clientId, sequence }: ClientBook, reference: RecordedReference): boolean {
  return reference.bookId === clientBookId(clientId) && reference.sequence > sequence;
}

function referenceName({ tenantId, namespace, reference }: Submission) {
  return { tenantId, namespace: namespace as Namespace, reference: reference as string };
}

function* parseFacts(request: SimulateRequest): CooperativeTask<readonly ParsedFact[]> {
  const facts: ParsedFact[] = [];
  for (const fact of request.body.facts) {
    facts.push(toSubmission(request, fact));
    yield;
  }
  return facts;
}

/** Adds the configuration and facility of each issuance. Sequential: most name the same, which is then cached. */
async function withIssuanceTerms(
  { lookups }: ReadContext,
  facts: readonly ParsedFact[],
  timer: StageTimer,
): Promise<readonly ParsedFact[]> {
  const completed: ParsedFact[] = [];
  for (const fact of facts) {
    if (isRefusal(fact) || !isIssuance(fact.submission)) completed.push(fact);
    else completed.push({ submission: await withTerms(lookups, fact.submission, timer) });
  }
  return completed;
}

async function withTerms(lookups: Lookups, submission: Submission, timer: StageTimer): Promise<Submission> {
  return { ...submission, resolved: await issuanceTerms(lookups, submission, timer) };
}

/** A facility of the Client itself is taken from the book: it may have been opened after the book was read. */
async function issuanceTerms(lookups: Lookups, submission: Submission, timer: StageTimer): Promise<Json> {
  const terms = JSON.parse(await lookUpIssuanceTerms(lookups, submission, timer)) as {
    readonly facility: { readonly client_id: string } | null;
  };
  const isOwnFacility = terms.facility !== null && clientBookId(terms.facility.client_id) === submission.bookId;
  return (isOwnFacility ? { ...terms, facility: null } : terms) as Json;
}
