/** Supposed facts, each decided as its own route would decide it, on the book the one before left. */

import { envelope } from '#libs/api/error-envelope.ts';
import { pathFault, type Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Locations } from '#libs/database/locations.ts';
import { namedByIssuance } from '#libs/database/named-by-issuance.ts';
import { onConnection, type Watch } from '#libs/database/reading.ts';
import { findReferences, referenceKey } from '#libs/database/references.ts';
import type { Namespace, RecordedReference, Submission } from '#libs/ledger/book-decider.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { reachOf } from '#libs/ledger/client/affected-position.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import type { InPieces } from '#libs/ledger/cooperative-loop.ts';
import { workFor } from '#libs/ledger/fold-cost.ts';
import { mint } from '#libs/runtime/uuid.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { readBody } from '#libs/schema/shape.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import type { Aside } from './fair-scheduler.ts';
import type { ReadContext, RequestTo } from './reads.ts';

type Asked = RequestTo<'simulate'>;
type Supposed = Asked['body']['facts'][number];

/** By the last segment of each act's path. */
const operations: { readonly [act in Supposed['act']]: RouteName } = {
  issue: 'issueLoan',
  receipt: 'reportReceipt',
  reversal: 'reverseReceipt',
  confirm: 'confirmLoan',
  void: 'voidLoan',
  cancel: 'cancelLoan',
  rescind: 'rescindLoan',
  withdraw: 'withdrawLoan',
  suspension: 'suspendLoan',
  'suspension-end': 'endSuspension',
  waiver: 'waiveCharge',
  return: 'returnGoods',
  rollover: 'rollOverLoan',
  restructure: 'restructureLoan',
  acceleration: 'accelerateLoan',
  settlement: 'settleLoan',
  'write-off': 'writeOffLoan',
  cession: 'cedeLoan',
  retraction: 'retractFact',
};

const namespaces: { readonly [act: string]: Namespace } = { issue: 'loans', receipt: 'receipts' };

export type Standing = { readonly clientId: string; readonly book: ClientBook; readonly from: Moment };

type Step = Submission | Refusal;

export type Played = { readonly outcomes: readonly object[]; readonly after: ClientBook };

export class Supposition {
  readonly #steps: readonly Step[];
  readonly #recorded: ReadonlyMap<string, RecordedReference>;
  readonly #standing: Standing;
  readonly #requestId: string;

  private constructor(
    steps: readonly Step[],
    recorded: ReadonlyMap<string, RecordedReference>,
    standing: Standing,
    requestId: string,
  ) {
    this.#steps = steps;
    this.#recorded = recorded;
    this.#standing = standing;
    this.#requestId = requestId;
  }

  /**
   * Everything that has to be looked up is, once, and all of it is told of one moment: that of the book. A fact and its
   * reference are committed together, so that every reference of a fact the book holds is found by a look-up after it; and
   * one that was recorded in it only since is left aside, for this book does not hold its fact.
   */
  static async of(reads: ReadContext, aside: Aside, asked: Asked, standing: Standing): Promise<Supposition> {
    const { timing } = asked;
    const read = await aside.derive(asked, stepsOf(asked));
    const steps = await withNamed(reads, read, timing);
    const names = steps.flatMap((step) => (isRefusal(step) ? [] : [nameOf(step)]));
    const found = await onConnection(reads.database, timing, (on) => findReferences(on, names));
    const recorded = new Map([...found].filter(([, each]) => !isSince(standing.book, each)));
    return new Supposition(steps, recorded, standing, asked.requestId);
  }

  /** Stops before each fact for whoever else waits. Where they cost more than `mostWork`: how many did not. */
  *play(mostWork: number): InPieces<Played | { readonly asFarAs: number }> {
    const { clientId, from } = this.#standing;
    const kind = deciderFor(clientBookId(clientId));
    const taken = new Map<string, string>();
    let after = yield* apart(this.#standing.book);
    let work = 0;
    const outcomes: object[] = [];
    for (const [nth, step] of this.#steps.entries()) {
      yield;
      const told = this.#toldBefore(step, taken);
      if (told !== undefined) {
        outcomes.push(told);
        continue;
      }
      // Before it is decided: a fact that is refused for what the fold makes of it was folded as well.
      work += workOf(after, step as Submission);
      if (work > mostWork) return { asFarAs: nth };
      const decided = kind.decide(after, step as Submission, (from + nth) as Moment);
      if (isRefusal(decided)) {
        outcomes.push(this.#refused(decided));
        continue;
      }
      after = decided.book as ClientBook;
      taken.set(referenceKey(nameOf(step as Submission)), (step as Submission).digest);
      outcomes.push({ status: decided.answer().status });
    }
    return { outcomes, after };
  }

  /** What is answered without asking the book: a fact refused by its form, or one whose reference was taken. */
  #toldBefore(step: Step, taken: ReadonlyMap<string, string>): object | undefined {
    if (isRefusal(step)) return this.#refused(step);
    const key = referenceKey(nameOf(step));
    const digest = taken.get(key) ?? this.#recorded.get(key)?.digest;
    if (digest === undefined) return undefined;
    return digest === step.digest ? { status: 200 } : this.#refused(refuse('reference_reused'));
  }

  #refused(refusal: Refusal): object {
    const { request_id: _ours, ...said } = envelope(refusal, this.#requestId);
    return { status: refusal.status, ...said };
  }
}

/**
 * A book of its own: what is supposed must not grow into what others read. And one read again, so that it holds the marks
 * every process would hold: the same question costs the same everywhere.
 */
function* apart(book: ClientBook): InPieces<ClientBook> {
  const kind = deciderFor(clientBookId(book.clientId));
  const text = kind.encode(book);
  yield;
  const copy = kind.decode(text);
  if (copy === undefined) throw new Error('a book just written is read back');
  return copy as ClientBook;
}

/** In steps of a book with nothing open, of which one is deciding it. */
function workOf(book: ClientBook, submission: Submission): number {
  const reach = reachOf(book, submission);
  if (reach === undefined) return 1;
  // The guards of a product look at every Loan of the Client.
  const guarded = reach.type === 'issuance' ? book.folded.loans.length : 0;
  return 1 + guarded + workFor(book.folded, reach);
}

function isSince({ clientId, sequence }: ClientBook, recorded: RecordedReference): boolean {
  return recorded.bookId === clientBookId(clientId) && recorded.sequence > sequence;
}

function nameOf({ tenantId, namespace, reference }: Submission) {
  return { tenantId, namespace: namespace as Namespace, reference: reference as string };
}

function* stepsOf(asked: Asked): InPieces<readonly Step[]> {
  const steps: Step[] = [];
  for (const fact of asked.body.facts) {
    steps.push(stepOf(asked, fact));
    yield;
  }
  return steps;
}

/** The supposed fact as the request it would be; what its route refuses of the form is refused here. */
function stepOf({ tenancy, params }: Asked, supposed: Supposed): Step {
  const { act, loan_id, reference, body } = supposed;
  const operation = operations[act];
  const route: Route = routes[operation];
  const unnamed = unnamedInPath(supposed);
  if (unnamed !== undefined) return unnamed;
  const stated = readBody(route.body as NonNullable<Route['body']>, body as Json);
  if (isRefusal(stated)) return stated;
  const named = {
    tenant_id: tenancy.id,
    ...(loan_id === undefined ? {} : { loan_id: loan_id.toLowerCase() }),
    ...(act === 'reversal' ? { receipt_reference: String(reference) } : {}),
  };
  const fault = pathFault(route.method, named);
  if (fault !== undefined) return fault;
  const clientId = String(params['client_id']);
  const other = (act === 'issue' || act === 'receipt') && body['client_id'] !== clientId;
  if (other) return refuse('invalid_field', { field: '/client_id', bound: clientId });
  return {
    tenantId: tenancy.id,
    bookId: clientBookId(clientId),
    operation,
    params: named,
    body: body as JsonObject,
    namespace: namespaces[act] ?? 'acts',
    reference: String(body['reference']),
    digest: requestDigest({ route: operation, params: named, body }).toString('hex'),
    ids: [mint(), mint()],
    resolved: null,
  };
}

function isIssuance(step: Step): step is Submission {
  return !isRefusal(step) && step.operation === operations.issue;
}

/** What each issuance names that never changes, beside it; one after the other, for most of them name the same. */
async function withNamed({ locations }: ReadContext, steps: readonly Step[], watch: Watch): Promise<readonly Step[]> {
  const named: Step[] = [];
  for (const step of steps) {
    named.push(isIssuance(step) ? { ...step, resolved: await namedElsewhere(locations, step, watch) } : step);
  }
  return named;
}

/** A facility of the Client itself stands in the book, or was opened since: of that moment only the book tells. */
async function namedElsewhere(locations: Locations, step: Submission, watch: Watch): Promise<Json> {
  const resolved = JSON.parse(await namedByIssuance(locations, step, watch)) as {
    readonly facility: { readonly client_id: string } | null;
  };
  const isOwn = resolved.facility !== null && clientBookId(resolved.facility.client_id) === step.bookId;
  return (isOwn ? { ...resolved, facility: null } : resolved) as Json;
}

function unnamedInPath({ act, loan_id, reference }: Supposed): Refusal | undefined {
  const { path } = routes[operations[act]];
  if (path.includes('{loan_id}') && loan_id === undefined) return refuse('missing_field', { field: '/loan_id' });
  const names = path.includes('{receipt_reference}');
  return names && reference === undefined ? refuse('missing_field', { field: '/reference' }) : undefined;
}
