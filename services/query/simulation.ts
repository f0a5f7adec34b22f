/** What if: a Client's book after acts and Receipts that nobody recorded, beside the book as it is. */
import { bookAnswer } from '#libs/book/client/book-answer.ts';
import { changesOf } from '#libs/book/client/changes.ts';
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { isRefusal, refuse } from '#libs/contract/refusals.ts';
import type { Handlers, Outcome } from '#libs/door/handler.ts';
import { clientBookId } from '#libs/turn/book-id.ts';
import { kindOf } from '#libs/turn/kinds.ts';
import type { Moment } from '#libs/turn/moment.ts';
import { Aside } from './aside.ts';
import { type AskedOf, clientBook, homeCurrency, newestBook, type Reads } from './reads.ts';
import { Supposition } from './supposition.ts';

export function simulationReads(reads: Reads): Handlers {
  const aside = new Aside();
  return {
    readChanges: (asked) => readChanges(reads, aside, asked),
    simulate: (asked) => simulate(reads, aside, asked),
  };
}

/** Every version between is folded and answered: what one question may cost has an end. */
const mostBetween = 500;

/** Steps of the fold, each about ten microseconds: what facts dated far back make many of. */
const mostWork = 50_000;

async function readChanges(reads: Reads, aside: Aside, asked: AskedOf<'readChanges'>): Promise<Outcome> {
  const { on, from_facts: fromFacts, to_facts: toFacts, known_at: knownAt } = asked.query;
  const book = await clientBook(reads, asked, String(asked.params['client_id']), knownAt);
  const tooFar = (bound: number) => refuse('invalid_query', { field: 'to_facts', bound, observed: toFacts });
  const most = Math.min(book.folded.length, fromFacts + mostBetween);
  if (toFacts > most) return tooFar(most);
  const question = { on: dayOf(on), homeCurrency: homeCurrency(reads, asked), calendars: reads.calendars };
  const body = await aside.derive(asked, changesOf(book, { fromFacts, toFacts }, question, mostWork));
  return 'asFarAs' in body ? tooFar(body.asFarAs) : { status: 200, body };
}

async function simulate(reads: Reads, aside: Aside, asked: AskedOf<'simulate'>): Promise<Outcome> {
  const { tenancy, timing, body, params } = asked;
  const clientId = String(params['client_id']);
  const { book, recordedAt } = await newestBook(reads, asked, clientId);
  const from = Math.max(asked.receivedAt * 1_000, recordedAt + 1) as Moment;
  const supposition = await Supposition.of(reads, asked, { clientId, book: apart(book), from }, body.facts);
  const played = await aside.derive(asked, supposition.play(mostWork));
  if ('asFarAs' in played) {
    return refuse('invalid_field', { field: '/facts', bound: played.asFarAs, observed: body.facts.length });
  }
  const on = dayOf(body.on);
  const question = { on, homeCurrency: homeCurrency(reads, asked), calendars: reads.calendars };
  return timing.measure('derive', () => {
    const answer = {
      client_id: clientId,
      tenant_id: tenancy.id,
      on: body.on,
      outcomes: played.outcomes,
      is: bookAnswer(book, question),
      would_be: bookAnswer(played.after, question),
    };
    return { status: 200, body: answer };
  });
}

/** A book of its own: what is supposed must not grow into what others read. */
function apart(book: ClientBook): ClientBook {
  const kind = kindOf(clientBookId(book.clientId));
  const copy = kind.decode(kind.encode(book));
  if (copy === undefined || isRefusal(copy)) throw new Error('a book just written is read back');
  return copy as ClientBook;
}
