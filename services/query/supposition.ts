/** Supposed facts, each decided as its own route would decide it, on the book the one before left. */
import { stepsBehind } from '#libs/book/book.ts';
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { envelope } from '#libs/contract/envelope.ts';
import type { Json, JsonObject } from '#libs/contract/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/contract/refusals.ts';
import { pathFault, type Route } from '#libs/contract/route.ts';
import { type RouteName, routes } from '#libs/contract/routes.ts';
import { readBody } from '#libs/contract/shape.ts';
import { namedByIssuance } from '#libs/store/named-by-issuance.ts';
import { findReferences, referenceKey } from '#libs/store/references.ts';
import { submissionDigest } from '#libs/submission/digest.ts';
import { mint } from '#libs/submission/mint.ts';
import { clientBookId } from '#libs/turn/book-id.ts';
import type { Namespace, RecordedReference, Submission } from '#libs/turn/book-kind.ts';
import { kindOf } from '#libs/turn/kinds.ts';
import type { Moment } from '#libs/turn/moment.ts';
import type { AskedOf, Reads } from './reads.ts';

type Asked = AskedOf<'simulate'>;
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

  /** Everything that has to be looked up is, once. */
  static async of(reads: Reads, asked: Asked, standing: Standing, facts: readonly Supposed[]): Promise<Supposition> {
    const { timing } = asked;
    const read = await timing.measure('derive', () => facts.map((fact) => stepOf(asked, fact)));
    const steps = read.some(isIssuance) ? await timing.measure('db', () => withNamed(reads, read)) : read;
    const names = steps.flatMap((step) => (isRefusal(step) ? [] : [nameOf(step)]));
    const recorded = await timing.measure('db', () => findReferences(reads.database, names));
    return new Supposition(steps, recorded, standing, asked.requestId);
  }

  /** Stops before each fact for whoever else waits. Where they cost more than `mostWork`: how many did not. */
  *play(mostWork: number): Generator<void, Played | { readonly asFarAs: number }> {
    const { clientId, from } = this.#standing;
    const kind = kindOf(clientBookId(clientId));
    const taken = new Map<string, string>();
    let after = this.#standing.book;
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
      work += 1 + refoldedFor(after, step as Submission);
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

/** By the day it states; what states none may reach back anywhere. */
function refoldedFor({ folded }: ClientBook, { body }: Submission): number {
  const { on, value_date: valueDate } = body;
  if (typeof valueDate === 'string') return stepsBehind(folded, dayOf(valueDate), true);
  return typeof on === 'string' ? stepsBehind(folded, dayOf(on), false) : folded.steps.length;
}

function nameOf({ tenantId, namespace, reference }: Submission) {
  return { tenantId, namespace: namespace as Namespace, reference: reference as string };
}

/** The supposed fact as the request it would be; what its route refuses of the form is refused here. */
function stepOf({ tenancy, params }: Asked, supposed: Supposed): Step {
  const { act, loan_id, reference, body } = supposed;
  const operation = operations[act];
  const route: Route = routes[operation];
  const path = pathOf(supposed);
  if (isRefusal(path)) return path;
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
    digest: submissionDigest({ method: route.method, path: path.replace('{tenant_id}', tenancy.id), body }).toString(
      'hex',
    ),
    ids: [mint(), mint()],
    resolved: null,
  };
}

function isIssuance(step: Step): step is Submission {
  return !isRefusal(step) && step.operation === operations.issue;
}

/** What each issuance names that never changes, beside it. */
function withNamed({ locations }: Reads, steps: readonly Step[]): Promise<readonly Step[]> {
  const named = steps.map(async (step) =>
    isIssuance(step)
      ? { ...step, resolved: JSON.parse(await namedByIssuance(locations, step.tenantId, step.body)) }
      : step,
  );
  return Promise.all(named);
}

function pathOf({ act, loan_id, reference }: Supposed): string | Refusal {
  const { path } = routes[operations[act]];
  if (path.includes('{loan_id}')) {
    return loan_id === undefined ? refuse('missing_field', { field: '/loan_id' }) : path.replace('{loan_id}', loan_id);
  }
  if (!path.includes('{receipt_reference}')) return path;
  if (reference === undefined) return refuse('missing_field', { field: '/reference' });
  return path.replace('{receipt_reference}', encodeURIComponent(reference));
}
