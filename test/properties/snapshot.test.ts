/** Properties of snapshots: a restored book behaves like the one in memory. */

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { type ActFact, isFactOf, type PlanningBody } from '#libs/ledger/act.ts';
import { acceleration } from '#libs/ledger/acts/acceleration.ts';
import { restructure } from '#libs/ledger/acts/restructure.ts';
import { goodsReturned } from '#libs/ledger/acts/return.ts';
import { settlement } from '#libs/ledger/acts/settlement.ts';
import { suspension } from '#libs/ledger/acts/suspension.ts';
import { suspensionEnd } from '#libs/ledger/acts/suspension-end.ts';
import { waiver } from '#libs/ledger/acts/waiver.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import { stateAfter, stateOn } from '#libs/ledger/checkpoints.ts';
import { type ClientBook, emptyClientBook, requireLoanOrder, withStoredFact } from '#libs/ledger/client/client-book.ts';
import { compactReceipts, decodeClientBook, encodeClientBook } from '#libs/ledger/client/snapshot.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { lineOf, readFact } from '#libs/ledger/stored-facts.ts';
import { storePlan, storeTerms } from '#libs/ledger/stored-terms.ts';
import { formatRate } from '#libs/money/rate.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { workedBookMarket } from '#libs/product/markets/testing/example-markets.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { randomBook } from '#test/properties/random-book/random-book.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { parseFact } from './parse-facts.ts';
import { expectEqual, propertyRuns } from './property-test.ts';

/** The book with lower-case identifiers, as the service has them. */
function withLowerCaseIds(input: BookInput): BookInput {
  return JSON.parse(JSON.stringify(input).replaceAll(/"L(\d+)"/g, '"l$1"')) as BookInput;
}

const money = (amount: bigint, currency: string) => ({ minor_units: Number(amount), currency });

function statedMembers(act: ActFact, currency: string): JsonObject | undefined {
  if (isFactOf(suspension, act)) return { to: formatDay(act.body.to) };
  if (isFactOf(suspensionEnd, act)) return { suspension_id: act.body.suspension };
  if (isFactOf(goodsReturned, act)) return { amount: money(act.body.amount, currency) };
  if (isFactOf(acceleration, act)) return { notified_on: formatDay(act.body.notifiedOn) };
  if (isFactOf(waiver, act)) {
    const { period, charge, amount } = act.body;
    return { period, charge, amount: money(amount, currency) };
  }
  if (isFactOf(settlement, act)) {
    return { agreed: money(act.body.agreed, currency), until: formatDay(act.body.until) };
  }
  if (isFactOf(restructure, act)) {
    const { termPeriods, rate, schedule, penaltyRate } = act.body;
    return {
      term_periods: termPeriods,
      rate: formatRate(rate),
      ...(schedule === undefined ? {} : { schedule: { ...schedule } }),
      ...(penaltyRate === undefined ? {} : { penalty_rate: formatRate(penaltyRate) }),
    };
  }
  return undefined;
}

/** A fact as the processor stores it. */
function storedOf(book: ClientBook, fact: Fact): { kind: string; body: string } {
  const loanId = (order: number) => book.folded.loans[order]?.issuance.loanId;
  const act = { reference: fact.reference, actor: 'desk', basis: 'tab\tline\nend' };
  switch (fact.type) {
    case 'issuance': {
      const { loanId: loan_id, event: event_id, reference, terms, plan, disclosure } = fact;
      const statement = { configuration: { id: 'ins-000001', version: 1 }, stated: { reference } };
      const frozen = { terms: storeTerms(terms), plan: storePlan(plan), disclosure };
      return { kind: 'issued', body: JSON.stringify({ loan_id, event_id, reference, ...statement, ...frozen }) };
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
      const stated = statedMembers(fact, book.folded.loans[fact.loan]?.issuance.terms.currency ?? 'MXN');
      const planned = fact.definition.usesCalendar ? { calendar: (fact.body as PlanningBody).calendar } : {};
      return {
        kind: fact.kind,
        body: JSON.stringify({ ...common, ...(stated === undefined ? {} : { stated }), ...planned }),
      };
    }
  }
}

const FIRST_MOMENT = 1_800_000_000_000_000;

/** The book after the processor recorded the fact: admitted, stored and read again. Or the refusal code. */
function recordedIn(
  book: ClientBook,
  stated: BookInput['facts'][number],
  input: BookInput,
  take: 'hot' | 'stored' = 'stored',
): { book: ClientBook; refused?: string } {
  const market = workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]);
  const calendars: Calendars = () => market.calendar.value;
  const fact = parseFact(book.folded, stated, input, market);
  if (isRefusal(fact)) return { book, refused: fact.code };
  const recordedAt = (FIRST_MOMENT + book.sequence) as Moment;
  const stored = storedOf(book, fact);
  const read = readFact(stored.kind, JSON.parse(stored.body) as JsonObject, (id) => requireLoanOrder(book, id));
  expect(read.fact).toEqual(fact);
  const seq = book.sequence + 1;
  const at = formatMoment(recordedAt);
  const entry = { seq, at, line: lineOf(seq, at, stored), ...read };
  const added = admitFact(book.folded, entry, calendars);
  if (isRefusal(added)) return { book, refused: added.code };
  // The admitted value, as the processor continues with it, or the stored fact read again, as a reader has it.
  if (take === 'hot') return { book: { ...book, sequence: seq, folded: added.book } };
  return { book: withStoredFact(book, { ...stored, recordedAt }, calendars) };
}

/** Everything that answers derive from, with the state after each step instead of the checkpoints. */
function observableState({ sequence, folded }: ClientBook, calendars: Calendars) {
  const { head, causes, lateReversals, loans, length, log, steps, lastOn } = folded;
  const places = [...steps.items.slice(0, steps.length).keys()];
  return {
    sequence,
    lastOn,
    head,
    causes,
    lateReversals,
    loans,
    facts: [...log.entries(length)],
    steps: steps.items.slice(0, steps.length),
    states: places.map((count) => stateAfter(folded, count, calendars)),
  };
}

function restore(book: ClientBook): ClientBook {
  const decoded = runToEnd(decodeClientBook(runToEnd(encodeClientBook(book))));
  if (decoded === undefined) throw new Error('a snapshot of the current format was not read');
  return decoded;
}

/** The state with lazily read Receipts resolved. */
function resolved({ steps, ...rest }: ReturnType<typeof observableState>) {
  return { ...rest, steps: steps.map((step) => (step.type === 'receipt' ? { ...step, receipt: step.receipt } : step)) };
}

const seeds = fc.noShrink(fc.noBias(fc.nat(0x7fffffff)));

test('a book restored from its snapshot at any point continues like the one in memory, including refusals and back-dated facts', () => {
  fc.assert(
    fc.property(seeds, fc.nat(100), (seed, share) => {
      const input = withLowerCaseIds(randomBook(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const cut = Math.floor((input.facts.length * share) / 100);
      let inMemory = emptyClientBook('acme', 'c');
      let restored = inMemory;
      for (const [place, stated] of input.facts.entries()) {
        if (place === cut) restored = restore(restored);
        const one = recordedIn(inMemory, stated, input);
        const other = recordedIn(restored, stated, input);
        expect(other.refused).toBe(one.refused);
        [inMemory, restored] = [one.book, other.book];
      }
      expectEqual(observableState(restored, calendars), observableState(inMemory, calendars));
      expectEqual(observableState(restore(restored), calendars), observableState(inMemory, calendars));
    }),
    { numRuns: propertyRuns(120), seed: 20261121 },
  );
}, 120_000);

test('a book restored from its snapshot answers like the one in memory, whatever is read first', () => {
  fc.assert(
    fc.property(seeds, fc.infiniteStream(fc.nat(0x7fffffff)), (seed, random) => {
      const input = withLowerCaseIds(randomBook(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const roll = (sides: number): number => (random.next().value as number) % sides;
      const cut = 1 + roll(input.facts.length);
      let inMemory = emptyClientBook('acme', 'c');
      for (const stated of input.facts.slice(0, cut)) inMemory = recordedIn(inMemory, stated, input).book;
      const { log, length, steps } = inMemory.folded;
      const facts = [...log.entries(length)];
      const days = steps.items.slice(0, steps.length).flatMap(({ on }) => [on - 1, on, on + 1]);
      const restored = restore(inMemory);
      const rest = input.facts.slice(cut);
      for (let read = 0; read < 8; read += 1) {
        const fact = facts[roll(facts.length)];
        const day = days[roll(days.length)] as CivilDay;
        const reference = fact?.fact.reference ?? '';
        const of = ({ folded }: ClientBook) => [
          () => folded.log.receipt(folded.length, reference),
          () => folded.log.reversal(folded.length, reference),
          () => folded.log.findBySequence(folded.length, fact?.seq ?? 0),
          () => stateOn(folded, day, calendars),
          () => runToEnd(encodeClientBook({ ...inMemory, folded })),
          // A different continuation of the same book.
          () => rest[0] && observableState(recordedIn({ ...inMemory, folded }, rest[0], input).book, calendars),
        ];
        const question = roll(6);
        expectEqual(of(restored)[question]?.(), of(inMemory)[question]?.());
      }
      expectEqual(observableState(restored, calendars), observableState(inMemory, calendars));
    }),
    { numRuns: propertyRuns(150), seed: 20261121 },
  );
}, 120_000);

test('a long book restored from its snapshot keeps its checkpoints: a back-dated fact is folded as in memory', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const input = withLowerCaseIds(randomBook(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const [first, ...later] = input.facts;
      // Many small Receipts make the book long; the facts of the random book are then dated back into it.
      const day = Date.parse((first as { anchor: string }).anchor) / 86_400_000;
      const small = Array.from({ length: 290 }, (_, nth) => ({
        type: 'receipt' as const,
        reference: `small-${nth}`,
        client_id: 'c',
        amount: 1 + (nth % 7),
        value_date: new Date((day + Math.floor(nth / 2)) * 86_400_000).toISOString().slice(0, 10),
      }));
      let inMemory = emptyClientBook('acme', 'c');
      for (const stated of [first as BookInput['facts'][number], ...small])
        inMemory = recordedIn(inMemory, stated, input).book;
      let restored = restore(inMemory);
      for (const stated of later) {
        const one = recordedIn(inMemory, stated, input);
        const other = recordedIn(restored, stated, input);
        expect(other.refused).toBe(one.refused);
        [inMemory, restored] = [one.book, other.book];
      }
      expectEqual(observableState(restored, calendars), observableState(inMemory, calendars));
    }),
    { numRuns: propertyRuns(10), seed: 20261121 },
  );
}, 120_000);

test('a book of many Loans stores each state of a Loan once, and is restored with the checkpoints it had', () => {
  const input = withLowerCaseIds(randomBook(20261125, 24));
  const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
  const [issuance] = input.facts;
  const loans = Array.from({ length: 600 }, (_, nth) => ({ ...issuance, id: `many-${nth}`, reference: `many-${nth}` }));
  let book = emptyClientBook('acme', 'c');
  for (const stated of loans) book = recordedIn(book, stated as BookInput['facts'][number], input).book;
  const text = runToEnd(encodeClientBook(book));
  expect(text.slice(0, text.indexOf('\n')).match(/"periods":/g)).toHaveLength(600);
  const restored = restore(book);
  expect(restored.folded.checkpoints.map(({ at }) => at)).toEqual([256, 512]);
  expect(runToEnd(encodeClientBook(restored))).toBe(text);
  expectEqual(observableState(restored, calendars), observableState(book, calendars));
});

test('a book whose Receipts were compacted at any point continues like the uncompacted one, and so do its earlier values', () => {
  const seen = { sharedLogs: 0, linesAgain: 0, stepsLater: 0 };
  fc.assert(
    fc.property(seeds, fc.infiniteStream(fc.nat(0x7fffffff)), (seed, random) => {
      const input = withLowerCaseIds(randomBook(seed, 24));
      const calendars = () => workedBookMarket(input.market as Parameters<typeof workedBookMarket>[0]).calendar.value;
      const roll = (sides: number): number => (random.next().value as number) % sides;
      const values = [{ compacted: emptyClientBook('acme', 'c'), inMemory: emptyClientBook('acme', 'c') }];
      const last = (): (typeof values)[number] => values.at(-1) as (typeof values)[number];
      const compactOne = ({ compacted }: (typeof values)[number]): void => {
        const { steps } = compacted.folded;
        const before = steps.items.slice(0, steps.length);
        compactReceipts(compacted);
        seen.stepsLater += before.filter((step, nth) => step !== steps.items[nth]).length;
      };
      for (const stated of input.facts) {
        if (roll(3) === 0) compactOne(last());
        if (roll(6) === 0) compactOne(values[roll(values.length)] as (typeof values)[number]);
        let { compacted, inMemory } = last();
        // Some are restored from a snapshot first.
        if (roll(8) === 0) compacted = restore(compacted);
        // A batch that is not committed leaves a value that is not used further.
        if (roll(6) === 0) recordedIn(compacted, stated, input, 'hot');
        const one = recordedIn(inMemory, stated, input);
        const other = recordedIn(compacted, stated, input, 'hot');
        expect(other.refused).toBe(one.refused);
        if (one.refused === undefined && other.book.folded.log === compacted.folded.log) seen.sharedLogs += 1;
        inMemory = one.book;
        values.push({ compacted: other.book, inMemory });
      }
      compactOne(last());
      const { log, length } = last().compacted.folded;
      seen.linesAgain += log.compactReceipts(length, () => {
        throw new Error('no line should be read here');
      }).size;
      expect(runToEnd(encodeClientBook(last().compacted))).toBe(runToEnd(encodeClientBook(restore(last().inMemory))));
      for (const { compacted, inMemory } of [
        last(),
        ...Array.from({ length: 3 }, () => values[roll(values.length)]),
      ] as typeof values)
        expectEqual(resolved(observableState(compacted, calendars)), resolved(observableState(inMemory, calendars)));
    }),
    { numRuns: propertyRuns(150), seed: 20261122 },
  );
  // Make sure that each case occurred.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(propertyRuns(150));
}, 120_000);
