// biome-ignore-all lint/style/noRestrictedGlobals: a measurement reads a clock and prints its result
/**
 * Measures the fold in one thread: folding a whole book, appending to books of different lengths, and appending with the
 * answers that follow a write.
 *
 *     npm run bench:fold
 */

import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { paymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { receiptAnswer } from '#libs/ledger/answers/receipt.ts';
import { EMPTY_BOOK, type FactAddition, type FoldedFacts } from '#libs/ledger/book.ts';
import type { RecordedFact, RecordedReceipt } from '#libs/ledger/fact-log.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { calendars, type FactBuilder, issued, received, waived } from '#libs/ledger/testing/facts.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

const ANCHOR = dayOf('2026-01-01');
const LENGTHS = [10, 100, 1_000, 10_000];
const LOANS = 3;

const loan = (name: string, principal: bigint): FactBuilder =>
  issued({
    loan: name,
    principal,
    termPeriods: 12,
    rate: '36',
    product: { amortisation: 'level_payment', schedules: [{ kind: 'anchored_monthly' }], toleranceDays: 3 },
    law: { calendar: { value: calendars('MX'), source: '', provisional: true } },
  });

/** Three Loans of twelve months, and many small Receipts spread over the first year. */
function longBook(length: number): FactBuilder[] {
  const loans = Array.from({ length: LOANS }, (_, nth) => loan(`L${nth}`, 100_000_00n));
  const money = Array.from({ length: length - LOANS }, (_, nth) => {
    const on = formatDay(addDays(ANCHOR, 20 + Math.floor((nth * 330) / length)));
    return received(on, 1_00n, { reference: `r${nth}` });
  });
  return [...loans, ...money];
}

/** A Client who pays one Loan of twelve months after the other: twelve Receipts for each Loan. */
function manyLoans(length: number): FactBuilder[] {
  return Array.from({ length }, (_, nth) => {
    const round = Math.floor(nth / 13);
    if (nth % 13 === 0)
      return issued({ loan: `L${round}`, principal: 1_200_00n, termPeriods: 12, rate: '0', anchor: day(round * 12) });
    return received(day(round * 12 + (nth % 13) - 1), 100_00n, { reference: `r${nth}` });
  });
}

/** A year of a Loan is counted as one day, so that hundreds of Loans fit into the calendar. */
const day = (month: number) => formatDay(addDays(ANCHOR, Math.floor(month / 12)));

function admitted(book: FoldedFacts, seq: number, build: FactBuilder): FactAddition & { readonly entry: RecordedFact } {
  const fact = build(book) as Fact;
  const entry: RecordedFact = { seq, fact, at: '2026-01-01T00:00:00Z', statement: { reference: `a${seq}` } };
  const added = admitFact(book, entry, calendars);
  if (isRefusal(added)) throw new Error(`a fact of the measured book is refused: ${added.code}`);
  return { ...added, entry };
}

function extend(book: FoldedFacts, facts: readonly FactBuilder[]): FoldedFacts {
  return facts.reduce((extended, build) => admitted(extended, extended.length + 1, build).book, book);
}

/** CPU microseconds of this thread, so that other load on the machine is not counted. */
function cpuMicros(run: () => void): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}

// The thread's clock advances in steps of milliseconds, so a measurement takes much longer than a step. Warm-up rounds
// come first, because a service runs compiled code.
const MIN_MICROS = 250_000;
const BATCH = 8;

/** Average microseconds of one run. Preparing its input is not counted. */
function costOf<Input>(prepare: () => Input, run: (input: Input) => void, minMicros = MIN_MICROS): number {
  let spent = 0;
  let runs = 0;
  while (spent < minMicros) {
    const batch = Array.from({ length: BATCH }, prepare);
    spent += cpuMicros(() => batch.forEach(run));
    runs += BATCH;
  }
  return spent / runs;
}

const perSecond = (micros: number) => Math.round(1_000_000 / micros).toLocaleString('en');
const APPENDS = 200;

function foldCost(facts: readonly FactBuilder[], minMicros?: number): number {
  return costOf(
    () => EMPTY_BOOK,
    (empty) => extend(empty, facts),
    minMicros,
  );
}

function appendCost(facts: readonly FactBuilder[]): number {
  const last = formatDay(addDays(ANCHOR, 2_000));
  const receipts = Array.from({ length: APPENDS }, (_, nth) => received(last, 1n, { reference: `more${nth}` }));
  // Every run appends to a new book: appending to the same book twice would copy it first.
  return costOf(
    () => extend(EMPTY_BOOK, facts),
    (book) => extend(book, receipts),
  );
}

function measure(title: string, factsOf: (length: number) => FactBuilder[]): void {
  console.log(`\n${title}`);
  foldCost(factsOf(100), 4 * MIN_MICROS);
  const costs = LENGTHS.map((length) => {
    const facts = factsOf(length);
    const perFolded = foldCost(facts) / length;
    const perAppended = appendCost(facts) / APPENDS;
    const cells = [length.toLocaleString('en').padStart(7), `${perSecond(perFolded)} facts/s folded`];
    console.log(
      [...cells, `${perSecond(perAppended)} facts/s appended`, `${perAppended.toFixed(1)} µs each`].join('   '),
    );
    return perAppended;
  });
  console.log(`appending at 10,000 costs ${((costs[3] as number) / (costs[0] as number)).toFixed(2)} times that at 10`);
}

/** A typical book: three Loans of twelve periods, five months paid, one late, a waiver. Appends a Receipt and reads. */
function measureAnswers(): void {
  const months = Array.from({ length: 5 }, (_, nth) => formatDay(addDays(ANCHOR, 31 * (nth + 1))));
  const facts: FactBuilder[] = [
    ...Array.from({ length: LOANS }, (_, nth) => loan(`L${nth}`, 10_000_00n)),
    ...months.map((on, nth) => received(on, 3_200_00n, { reference: `r${nth}` })),
    waived('2026-07-20', { period: 6, charge: 'interest', amount: 1_00n }, { loan: 'L0' }),
  ];
  const money = received('2026-07-25', 1_500_00n, { reference: 'new' });
  const append = (book: FoldedFacts) => admitted(book, book.length + 1, money);
  const appendAndRead = (book: FoldedFacts) => {
    const { book: after, entry, outcome } = append(book);
    receiptAnswer(after, entry as RecordedReceipt, 'c', calendars, outcome);
    paymentOptions(bookOnDay(after, dayOf('2026-07-25'), calendars), 'c');
    loanAnswer(after, 0, 't');
  };
  const typicalBook = () => extend(EMPTY_BOOK, facts);
  costOf(typicalBook, appendAndRead, 4 * MIN_MICROS);
  console.log('\nA typical book: three Loans of twelve periods');
  console.log(`append ${costOf(typicalBook, append).toFixed(1)} µs`);
  console.log(
    `append, then read the Receipt, the payment options and a Loan: ${costOf(typicalBook, appendAndRead).toFixed(1)} µs`,
  );
}

measure('A long book: three Loans, then Receipts', longBook);
measure('A book of many Loans: one after the other', manyLoans);
measureAnswers();
