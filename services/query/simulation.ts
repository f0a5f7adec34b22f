/** Simulation: a Client's book with supposed facts, next to the book as it is; and the changes between two versions. */
import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type BookReadOptions, clientBookAnswer } from '#libs/ledger/client/book-answer.ts';
import { bookChanges } from '#libs/ledger/client/book-changes.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { refuse } from '#libs/schema/refusals.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import {
  homeCurrency,
  loadClientBook,
  loadLatestClientBook,
  type ReadContext,
  type RouteRequest,
} from './read-context.ts';
import { prepareSimulation, runSimulation, type Simulation } from './simulation-run.ts';

/** `maxCost` is that of an answer, in folded steps. */
export function simulationReads(context: ReadContext, scheduler: FairScheduler, maxCost: number): RouteHandlers {
  return {
    readChanges: (request) => readChanges(context, { scheduler, maxCost }, request),
    simulate: (request) => simulate(context, { scheduler, maxCost }, request),
  };
}

interface BoundedRun {
  readonly scheduler: FairScheduler;
  readonly maxCost: number;
}

/** Every version in between is folded and answered, so one request may cover only so many. */
const maxVersionsBetween = 500;

async function readChanges(
  context: ReadContext,
  { scheduler, maxCost }: BoundedRun,
  request: RouteRequest<'readChanges'>,
): Promise<RouteResult> {
  const { on, from_facts: fromFacts, to_facts: toFacts, known_at: knownAt } = request.query;
  const book = await loadClientBook(context, request, String(request.params['client_id']), knownAt);
  const tooFar = (bound: number) => refuse('invalid_query', { field: 'to_facts', bound, observed: toFacts });
  const maxToFacts = Math.min(book.folded.length, fromFacts + maxVersionsBetween);
  if (toFacts > maxToFacts) return tooFar(maxToFacts);
  const options = { on: dayOf(on), homeCurrency: homeCurrency(context, request), calendars: context.calendars };
  const changes = bookChanges(book, { fromFacts, toFacts }, options, maxCost);
  const body = await scheduler.run(request, changes);
  return 'affordableFacts' in body ? tooFar(body.affordableFacts) : { status: 200, body };
}

async function simulate(
  context: ReadContext,
  { scheduler, maxCost }: BoundedRun,
  request: RouteRequest<'simulate'>,
): Promise<RouteResult> {
  const { tenancy, body, params } = request;
  const clientId = String(params['client_id']);
  const { book, recordedAt } = await loadLatestClientBook(context, request, clientId);
  const from = Math.max(request.receivedAt * 1_000, recordedAt + 1) as Moment;
  const simulation = await prepareSimulation(context, scheduler, request, { clientId, book, from });
  const options = { on: dayOf(body.on), homeCurrency: homeCurrency(context, request), calendars: context.calendars };
  const answer = await scheduler.run(request, simulationAnswer(book, simulation, { ...options, maxCost }));
  if ('affordableFacts' in answer) {
    return refuse('invalid_field', { field: '/facts', bound: answer.affordableFacts, observed: body.facts.length });
  }
  return { status: 200, body: { client_id: clientId, tenant_id: tenancy.id, on: body.on, ...answer } };
}

function* simulationAnswer(
  book: ClientBook,
  simulation: Simulation,
  { maxCost, ...options }: BookReadOptions & Pick<BoundedRun, 'maxCost'>,
) {
  const result = yield* runSimulation(simulation, maxCost);
  if ('affordableFacts' in result) return result;
  const is = yield* clientBookAnswer(book, options);
  const wouldBe = yield* clientBookAnswer(result.book, options);
  return { outcomes: result.outcomes, is, would_be: wouldBe };
}
