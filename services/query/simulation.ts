/** What if: a Client's book after acts and Receipts that nobody recorded, beside the book as it is. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type BookQuestion, bookInPieces } from '#libs/ledger/client/book-answer.ts';
import { changesOf } from '#libs/ledger/client/changes.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { type Aside, mostWork } from './fair-scheduler.ts';
import { clientBook, homeCurrency, newestBook, type ReadContext, type RequestTo } from './reads.ts';
import { Supposition } from './simulation-run.ts';

export function simulationReads(reads: ReadContext, aside: Aside): RouteHandlers {
  return {
    readChanges: (asked) => readChanges(reads, aside, asked),
    simulate: (asked) => simulate(reads, aside, asked),
  };
}

/** Every version between is folded and answered: what one question may cost has an end. */
const mostBetween = 500;

async function readChanges(reads: ReadContext, aside: Aside, asked: RequestTo<'readChanges'>): Promise<RouteResult> {
  const { on, from_facts: fromFacts, to_facts: toFacts, known_at: knownAt } = asked.query;
  const book = await clientBook(reads, asked, String(asked.params['client_id']), knownAt);
  const tooFar = (bound: number) => refuse('invalid_query', { field: 'to_facts', bound, observed: toFacts });
  const most = Math.min(book.folded.length, fromFacts + mostBetween);
  if (toFacts > most) return tooFar(most);
  const question = { on: dayOf(on), homeCurrency: homeCurrency(reads, asked), calendars: reads.calendars };
  const body = await aside.derive(asked, changesOf(book, { fromFacts, toFacts }, question, mostWork));
  return 'asFarAs' in body ? tooFar(body.asFarAs) : { status: 200, body };
}

async function simulate(reads: ReadContext, aside: Aside, asked: RequestTo<'simulate'>): Promise<RouteResult> {
  const { tenancy, body, params } = asked;
  const clientId = String(params['client_id']);
  const { book, recordedAt } = await newestBook(reads, asked, clientId);
  const from = Math.max(asked.receivedAt * 1_000, recordedAt + 1) as Moment;
  const supposition = await Supposition.of(reads, aside, asked, { clientId, book, from });
  const question = { on: dayOf(body.on), homeCurrency: homeCurrency(reads, asked), calendars: reads.calendars };
  const told = await aside.derive(asked, supposed(book, supposition, question));
  if ('asFarAs' in told) {
    return refuse('invalid_field', { field: '/facts', bound: told.asFarAs, observed: body.facts.length });
  }
  return { status: 200, body: { client_id: clientId, tenant_id: tenancy.id, on: body.on, ...told } };
}

function* supposed(book: ClientBook, supposition: Supposition, question: BookQuestion) {
  const played = yield* supposition.play(mostWork);
  if ('asFarAs' in played) return played;
  const { outcomes, after } = played;
  const is = yield* bookInPieces(book, question);
  return { outcomes, is, would_be: yield* bookInPieces(after, question) };
}
