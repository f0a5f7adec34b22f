/** Decides supposed facts as their own routes would, each on the book that the previous one left. */

import { checkPathSegments, type Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { type StageTimer, withConnection } from '#libs/database/database.ts';
import { type Lookups, lookUpIssuanceTerms } from '#libs/database/immutable-lookups.ts';
import { findReferences, referenceKey } from '#libs/database/references.ts';
import { type ActOperation, type ActSegment, acts } from '#libs/ledger/acts/manifest.ts';
import type { Namespace, RecordedReference, Submission } from '#libs/ledger/book-decider.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { affectedPositionOf } from '#libs/ledger/client/affected-position.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import { foldCost } from '#libs/ledger/fold-cost.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { parse } from '#libs/schema/schema.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';

type SimulateRequest = RouteRequest<'simulate'>;
type SupposedFact = SimulateRequest['body']['facts'][number];

const actOperations = Object.fromEntries(acts.map(({ route }) => [route.segment, route.operation])) as {
  readonly [segment in ActSegment]: ActOperation;
};

/** By the last segment of each act's path. */
const operations: { readonly [act in SupposedFact['act']]: RouteName } = {
  issue: 'issueLoan',
  receipt: 'reportReceipt',
  reversal: 'reverseReceipt',
  retraction: 'retractFact',
  ...actOperations,
};

const namespaces: { readonly [act: string]: Namespace } = { issue: 'loans', receipt: 'receipts' };

/** The book before the simulation; `from` is when the first supposed fact is recorded. */
export type SimulationStart = { readonly clientId: string; readonly book: ClientBook; readonly from: Moment };

/** A supposed fact as its submission, or why its request would be refused before that. */
type SupposedSubmission = Submission | Refusal;

export interface Simulation {
  readonly submissions: readonly SupposedSubmission[];
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
  const parsed = await scheduler.run(request, toSubmissions(request));
  const submissions = await withIssuanceTerms(context, parsed, timing);
  const names = submissions.flatMap((submission) => (isRefusal(submission) ? [] : [referenceName(submission)]));
  const found = await withConnection(context.database, timing, (connection) => findReferences(connection, names));
  const references = new Map([...found].filter(([, reference]) => !isRecordedSince(start.book, reference)));
  return { submissions, references, start, requestId: request.requestId };
}

/** Yields before each fact. Where all facts cost more than `maxCost`, returns how many of them do not. */
export function* runSimulation(
  simulation: Simulation,
  maxCost: number,
): CooperativeTask<SimulationResult | { readonly affordableFacts: number }> {
  const { clientId, from } = simulation.start;
  const decider = deciderFor(clientBookId(clientId));
  const supposedDigests = new Map<string, string>();
  let book = yield* copyBook(simulation.start.book);
  let cost = 0;
  const outcomes: object[] = [];
  for (const [index, submission] of simulation.submissions.entries()) {
    yield;
    if (isRefusal(submission)) {
      outcomes.push(refusalOutcome(simulation, submission));
      continue;
    }
    const repeated = repeatOutcome(simulation, submission, supposedDigests);
    if (repeated !== undefined) {
      outcomes.push(repeated);
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
    outcomes.push({ status: decided.answer().status });
  }
  return { outcomes, book };
}

/** The outcome of a submission whose reference is recorded or was supposed before; undefined for a new reference. */
function repeatOutcome(
  simulation: Simulation,
  submission: Submission,
  supposedDigests: ReadonlyMap<string, string>,
): object | undefined {
  const key = referenceKey(referenceName(submission));
  const digest = supposedDigests.get(key) ?? simulation.references.get(key)?.digest;
  if (digest === undefined) return undefined;
  return digest === submission.digest ? { status: 200 } : refusalOutcome(simulation, refuse('reference_reused'));
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
  const text = decider.encode(book);
  yield;
  const copy = decider.decode(text);
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

function* toSubmissions(request: SimulateRequest): CooperativeTask<readonly SupposedSubmission[]> {
  const submissions: SupposedSubmission[] = [];
  for (const fact of request.body.facts) {
    submissions.push(toSubmission(request, fact));
    yield;
  }
  return submissions;
}

/** Checks the path and body as the fact's own route would. */
function toSubmission({ tenancy, params }: SimulateRequest, fact: SupposedFact): SupposedSubmission {
  const { act, loan_id, reference, body } = fact;
  const operation = operations[act];
  const route: Route = routes[operation];
  const missing = missingPathField(fact);
  if (missing !== undefined) return missing;
  const parsed = parse(route.body as NonNullable<Route['body']>, body as Json);
  if (isRefusal(parsed)) return parsed;
  const pathParams = {
    tenant_id: tenancy.id,
    ...(loan_id === undefined ? {} : { loan_id: loan_id.toLowerCase() }),
    ...(act === 'reversal' ? { receipt_reference: String(reference) } : {}),
  };
  const invalidPath = checkPathSegments(route.method, pathParams);
  if (invalidPath !== undefined) return invalidPath;
  const clientId = String(params['client_id']);
  const isOfOtherClient = (act === 'issue' || act === 'receipt') && body['client_id'] !== clientId;
  if (isOfOtherClient) return refuse('invalid_field', { field: '/client_id', bound: clientId });
  return {
    tenantId: tenancy.id,
    bookId: clientBookId(clientId),
    operation,
    params: pathParams,
    body: body as JsonObject,
    namespace: namespaces[act] ?? 'acts',
    reference: String(body['reference']),
    digest: requestDigest({ route: operation, params: pathParams, body }).toString('hex'),
    ids: [newUuid(), newUuid()],
    resolved: null,
  };
}

function missingPathField({ act, loan_id, reference }: SupposedFact): Refusal | undefined {
  const { path } = routes[operations[act]];
  if (path.includes('{loan_id}') && loan_id === undefined) return refuse('missing_field', { field: '/loan_id' });
  const needsReference = path.includes('{receipt_reference}');
  return needsReference && reference === undefined ? refuse('missing_field', { field: '/reference' }) : undefined;
}

function isIssuance(submission: SupposedSubmission): submission is Submission {
  return !isRefusal(submission) && submission.operation === operations.issue;
}

/** Adds the configuration and facility of each issuance. Sequential: most name the same, which is then cached. */
async function withIssuanceTerms(
  { lookups }: ReadContext,
  submissions: readonly SupposedSubmission[],
  timer: StageTimer,
): Promise<readonly SupposedSubmission[]> {
  const completed: SupposedSubmission[] = [];
  for (const submission of submissions) {
    if (!isIssuance(submission)) completed.push(submission);
    else completed.push({ ...submission, resolved: await issuanceTerms(lookups, submission, timer) });
  }
  return completed;
}

/** A facility of the Client itself is taken from the book: it may have been opened after the book was read. */
async function issuanceTerms(lookups: Lookups, submission: Submission, timer: StageTimer): Promise<Json> {
  const terms = JSON.parse(await lookUpIssuanceTerms(lookups, submission, timer)) as {
    readonly facility: { readonly client_id: string } | null;
  };
  const isOwnFacility = terms.facility !== null && clientBookId(terms.facility.client_id) === submission.bookId;
  return (isOwnFacility ? { ...terms, facility: null } : terms) as Json;
}
