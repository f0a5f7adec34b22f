import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import { stateAfter, stateOn } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { type ClientBook, emptyClientBook, knownOrder, withStored } from '#libs/ledger/client/client-book.ts';
import { decodeClientBook, encodeClientBook, putAwayMoney } from '#libs/ledger/client/snapshot.ts';
import type { Act, Fact } from '#libs/ledger/facts.ts';
import { lineOf, readFact } from '#libs/ledger/stored-facts.ts';
import { storePlan, storeTerms } from '#libs/ledger/stored-terms.ts';
import { formatRate } from '#libs/money/rate.ts';
import { workedBookMarket } from '#libs/product/markets/testing/made-up-markets.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { bookOf } from '#test/properties/books/arbitrary-book.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { factOf } from './stated-facts.ts';

/** The kept form lower-cases identifiers, as those of the service are. */
function kept(input: BookInput): BookInput {
  return JSON.parse(JSON.stringify(input).replaceAll(/"L(\d+)"/g, '"l$1"')) as BookInput;
}

const money = (amount: bigint, currency: string) => ({ minor_units: Number(amount), currency });

function statedBy(act: Act, currency: string): JsonObject | undefined {
  switch (act.kind) {
    case 'suspended':
      return { to: formatDay(act.body.to) };
    case 'suspension_ended':
      return { suspension_id: act.body.suspension };
    case 'waived': {
      const { period, charge, amount } = act.body;
      return { period, charge, amount: money(amount, currency) };
    }
    case 'returned':
      return { amount: money(act.body.amount, currency) };
    case 'restructured': {
      const { termPeriods, rate, schedule, penaltyRate } = act.body;
      return {
        term_periods: termPeriods,
        rate: formatRate(rate),
        ...(schedule === undefined ? {} : { schedule: schedule as unknown as JsonObject }),
        ...(penaltyRate === undefined ? {} : { penalty_rate: formatRate(penaltyRate) }),
      };
    }
    case 'accelerated':
      return { notified_on: formatDay(act.body.notifiedOn) };
    case 'settled_for_less':
      return { agreed: money(act.body.agreed, currency), until: formatDay(act.body.until) };
    default:
      return undefined;
  }
}

/** A fact as the processor keeps it. */
function storedOf(book: ClientBook, fact: Fact): { kind: string; body: string } {
  const loanId = (order: number) => book.folded.loans[order]?.issuance.loanId;
  const act = { reference: fact.reference, actor: 'desk', basis: 'tab\tline\nend' };
  switch (fact.type) {
    case 'issuance': {
      const { loanId: loan_id, event: event_id, reference, terms, plan, disclosure } = fact;
      const told = { configuration: { id: 'ins-000001', version: 1 }, stated: { reference } };
      const frozen = { terms: storeTerms(terms), plan: storePlan(plan), disclosure };
      return { kind: 'issued', body: JSON.stringify({ loan_id, event_id, reference, ...told, ...frozen }) };
    }
    case 'receipt': {
      const { id, reference, amount, currency, valueDate, designated, payoffIntent: payoff_intent } = fact;
      const stated = { reference, client_id: 'c', amount: money(amount, currency), value_date: formatDay(valueDate) };
      const named = designated === undefined ? {} : { designated_loan_id: loanId(designated) };
      return {
        kind: 'receipt_reported',
        body: JSON.stringify({ id, receipt: { ...stated, ...named, payoff_intent } }),
      };
    }
    case 'reversal':
      return { kind: 'receipt_reversed', body: JSON.stringify({ receipt: fact.receipt, reason: 'chargeback', act }) };
    case 'retraction':
    case 'act': {
      const common = { event_id: fact.event, loan_id: loanId(fact.loan), on: formatDay(fact.on), act };
      if (fact.type === 'retraction')
        return { kind: 'retracted', body: JSON.stringify({ ...common, stated: { event_id: fact.target } }) };
      const stated = statedBy(fact, book.folded.loans[fact.loan]?.issuance.terms.currency ?? 'MXN');
      const planned =
        fact.kind === 'rolled_over' || fact.kind === 'restructured' ? { calendar: fact.body.calendar } : {};
      return {
        kind: fact.kind,
        body: JSON.stringify({ ...common, ...(stated === undefined ? {} : { stated }), ...planned }),
      };
    }
  }
}

const BEGINNING = 1_800_000_000_000_000;

/** The book with the stated fact as the processor would record it: admitted, kept, read again. The code where it is refused. */
function recordedIn(
  book: ClientBook,
  stated: BookInput['facts'][number],
  input: BookInput,
  take: 'hot' | 'stored' = 'stored',
): { book: ClientBook; refused?: string } {
  const market = workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]);
  const calendars: Calendars = () => market.calendar.value;
  const fact = factOf(book.folded, stated, input, market);
  if (isRefusal(fact)) return { book, refused: fact.code };
  const recordedAt = (BEGINNING + book.sequence) as Moment;
  const stored = storedOf(book, fact);
  const read = readFact(stored.kind, JSON.parse(stored.body) as JsonObject, (id) => knownOrder(book, id));
  expect(read.fact).toEqual(fact);
  const seq = book.sequence + 1;
  const at = formatMoment(recordedAt);
  const entry = { seq, at, line: lineOf(seq, at, stored), ...read };
  const added = admitFact(book.folded, entry, calendars);
  if (isRefusal(added)) return { book, refused: added.code };
  // The value that was admitted, as the processor goes on with, or the fact read again, as a reader does.
  if (take === 'hot') return { book: { ...book, sequence: seq, folded: added.book } };
  return { book: withStored(book, { ...stored, recordedAt }, calendars) };
}

/** All that an answer is made from. What a mark holds is the state after so many steps: that one, wherever marks stand. */
function essence({ sequence, folded }: ClientBook, calendars: Calendars) {
  const { head, causes, lateReversals, loans, length, log, steps, lastOn } = folded;
  const places = [...steps.items.slice(0, steps.length).keys()];
  return {
    sequence,
    lastOn,
    head,
    causes,
    lateReversals,
    loans,
    facts: [...log.facts(length)],
    steps: steps.items.slice(0, steps.length),
    states: places.map((count) => stateAfter(folded, count, calendars)),
  };
}

function again(book: ClientBook): ClientBook {
  const decoded = decodeClientBook(encodeClientBook(book));
  if (decoded === undefined) throw new Error('a snapshot of this format is read');
  return decoded;
}

/** As the one that put some away would say it: whatever a step is made of, by what it says. */
function said({ steps, ...rest }: ReturnType<typeof essence>) {
  return { ...rest, steps: steps.map((step) => (step.type === 'receipt' ? { ...step, receipt: step.receipt } : step)) };
}

const seeds = fc.noShrink(fc.noBias(fc.nat(0x7fffffff)));

test('a book put away and taken out again at any moment goes on as if it had stayed, refusals and late facts included', () => {
  fc.assert(
    fc.property(seeds, fc.nat(100), (seed, share) => {
      const input = kept(bookOf(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const cut = Math.floor((input.facts.length * share) / 100);
      let stayed = emptyClientBook('acme', 'c');
      let taken = stayed;
      for (const [place, stated] of input.facts.entries()) {
        if (place === cut) taken = again(taken);
        const one = recordedIn(stayed, stated, input);
        const other = recordedIn(taken, stated, input);
        expect(other.refused).toBe(one.refused);
        [stayed, taken] = [one.book, other.book];
      }
      expect(essence(taken, calendars)).toEqual(essence(stayed, calendars));
      expect(essence(again(taken), calendars)).toEqual(essence(stayed, calendars));
    }),
    { numRuns: 120, seed: 20261121 },
  );
}, 120_000);

test('a book taken out of its snapshot answers whatever it is asked first, and whatever came of it meanwhile, as the one that stayed', () => {
  fc.assert(
    fc.property(seeds, fc.infiniteStream(fc.nat(0x7fffffff)), (seed, dice) => {
      const input = kept(bookOf(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const roll = (sides: number): number => (dice.next().value as number) % sides;
      const cut = 1 + roll(input.facts.length);
      let stayed = emptyClientBook('acme', 'c');
      for (const stated of input.facts.slice(0, cut)) stayed = recordedIn(stayed, stated, input).book;
      const { log, length, steps } = stayed.folded;
      const facts = [...log.facts(length)];
      const days = steps.items.slice(0, steps.length).flatMap(({ on }) => [on - 1, on, on + 1]);
      const taken = again(stayed);
      const rest = input.facts.slice(cut);
      for (let asked = 0; asked < 8; asked += 1) {
        const fact = facts[roll(facts.length)];
        const day = days[roll(days.length)] as CivilDay;
        const reference = fact?.fact.reference ?? '';
        const of = ({ folded }: ClientBook) => [
          () => folded.log.receipt(folded.length, reference),
          () => folded.log.reversal(folded.length, reference),
          () => folded.log.at(folded.length, fact?.seq ?? 0),
          () => stateOn(folded, day, calendars),
          () => encodeClientBook({ ...stayed, folded }),
          // Another future of the same book, and then this one again.
          () => rest[0] && essence(recordedIn({ ...stayed, folded }, rest[0], input).book, calendars),
        ];
        const question = roll(6);
        expect(of(taken)[question]?.()).toEqual(of(stayed)[question]?.());
      }
      expect(essence(taken, calendars)).toEqual(essence(stayed, calendars));
    }),
    { numRuns: 150, seed: 20261121 },
  );
}, 120_000);

test('a long book put away keeps its marks: a fact dated back into it is folded as in the book that stayed', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const input = kept(bookOf(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const [first, ...later] = input.facts;
      // Small money on every few days of the book makes it long; what the story then adds is dated back into it.
      const day = Date.parse((first as { anchor: string }).anchor) / 86_400_000;
      const small = Array.from({ length: 290 }, (_, nth) => ({
        type: 'receipt' as const,
        reference: `small-${nth}`,
        client_id: 'c',
        amount: 1 + (nth % 7),
        value_date: new Date((day + Math.floor(nth / 2)) * 86_400_000).toISOString().slice(0, 10),
      }));
      let stayed = emptyClientBook('acme', 'c');
      for (const stated of [first as BookInput['facts'][number], ...small])
        stayed = recordedIn(stayed, stated, input).book;
      let taken = again(stayed);
      for (const stated of later) {
        const one = recordedIn(stayed, stated, input);
        const other = recordedIn(taken, stated, input);
        expect(other.refused).toBe(one.refused);
        [stayed, taken] = [one.book, other.book];
      }
      expect(essence(taken, calendars)).toEqual(essence(stayed, calendars));
    }),
    { numRuns: 3, seed: 20261121 },
  );
}, 120_000);

test('a book whose money is kept as lines again, whenever that was, goes on as the one that stayed, and so do the values it grew from', () => {
  const seen = { sharedLogs: 0, linesAgain: 0, stepsLater: 0 };
  fc.assert(
    fc.property(seeds, fc.infiniteStream(fc.nat(0x7fffffff)), (seed, dice) => {
      const input = kept(bookOf(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const roll = (sides: number): number => (dice.next().value as number) % sides;
      const values = [{ lean: emptyClientBook('acme', 'c'), stayed: emptyClientBook('acme', 'c') }];
      const last = (): (typeof values)[number] => values.at(-1) as (typeof values)[number];
      const putAwayOne = ({ lean }: (typeof values)[number]): void => {
        const { steps } = lean.folded;
        const before = steps.items.slice(0, steps.length);
        putAwayMoney(lean);
        seen.stepsLater += before.filter((step, nth) => step !== steps.items[nth]).length;
      };
      for (const stated of input.facts) {
        if (roll(3) === 0) putAwayOne(last());
        if (roll(6) === 0) putAwayOne(values[roll(values.length)] as (typeof values)[number]);
        let { lean, stayed } = last();
        // Some were taken out of their snapshot before.
        if (roll(8) === 0) lean = again(lean);
        // A batch that is not committed leaves a value nobody goes on with.
        if (roll(6) === 0) recordedIn(lean, stated, input, 'hot');
        const one = recordedIn(stayed, stated, input);
        const other = recordedIn(lean, stated, input, 'hot');
        expect(other.refused).toBe(one.refused);
        if (one.refused === undefined && other.book.folded.log === lean.folded.log) seen.sharedLogs += 1;
        stayed = one.book;
        values.push({ lean: other.book, stayed });
      }
      putAwayOne(last());
      const { log, length } = last().lean.folded;
      seen.linesAgain += log.putAway(length, () => {
        throw new Error('nothing is read here');
      }).size;
      expect(encodeClientBook(last().lean)).toBe(encodeClientBook(again(last().stayed)));
      for (const { lean, stayed } of [
        last(),
        ...Array.from({ length: 3 }, () => values[roll(values.length)]),
      ] as typeof values)
        expect(said(essence(lean, calendars))).toEqual(said(essence(stayed, calendars)));
    }),
    { numRuns: 150, seed: 20261122 },
  );
  // Else nothing was looked at.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(150);
}, 120_000);
