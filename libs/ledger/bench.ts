// biome-ignore-all lint/style/noRestrictedGlobals: a measurement reads a clock and prints what it read
/**
 * What the fold costs, in one thread: facts folded from nothing, facts appended to a book of some length, and an append
 * with the answers that are published with it.
 *
 *     npm run bench:fold
 */

import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { paymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { receiptAnswer } from '#libs/ledger/answers/receipt.ts';
import { type Book, EMPTY_BOOK, type FactAddition } from '#libs/ledger/book.ts';
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

/** Three Loans of twelve months, and money in parts a hundredth of what is owed, spread over the first year. */
function longBook(length: number): FactBuilder[] {
  const loans = Array.from({ length: LOANS }, (_, nth) => loan(`L${nth}`, 100_000_00n));
  const money = Array.from({ length: length - LOANS }, (_, nth) => {
    const on = formatDay(addDays(ANCHOR, 20 + Math.floor((nth * 330) / length)));
    return received(on, 1_00n, { reference: `r${nth}` });
  });
  return [...loans, ...money];
}

/** A Client who pays a Loan of twelve months and takes the next: a Loan to twelve Receipts. */
function manyLoans(length: number): FactBuilder[] {
  return Array.from({ length }, (_, nth) => {
    const round = Math.floor(nth / 13);
    if (nth % 13 === 0)
      return issued({ loan: `L${round}`, principal: 1_200_00n, termPeriods: 12, rate: '0', anchor: day(round * 12) });
    return received(day(round * 12 + (nth % 13) - 1), 100_00n, { reference: `r${nth}` });
  });
}

/** A month is taken for a day, so that hundreds of Loans find room. */
const day = (after: number) => formatDay(addDays(ANCHOR, Math.floor(after / 12)));

function admitted(book: Book, seq: number, telling: FactBuilder): FactAddition & { readonly entry: RecordedFact } {
  const fact = telling(book) as Fact;
  const entry: RecordedFact = { seq, fact, at: '2026-01-01T00:00:00Z', statement: { reference: `a${seq}` } };
  const added = admitFact(book, entry, calendars);
  if (isRefusal(added)) throw new Error(`the book of the measurement refuses a fact: ${added.code}`);
  return { ...added, entry };
}

function grow(tellings: readonly FactBuilder[], from: Book = EMPTY_BOOK): Book {
  return tellings.reduce((book, telling) => admitted(book, book.length + 1, telling).book, from);
}

/** Microseconds of this thread, so that what else the machine does is not counted. */
function timed(run: () => void): number {
  const began = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(began);
  return user + system;
}

// The clock of a thread moves in steps of some milliseconds, and a service runs for weeks: what is measured is long
// beside a step, and comes after rounds that only make the machine know the code.
const LEAST_MICROS = 250_000;
const BATCH = 8;

/** Microseconds of one run, over as many as it takes; what is run on is prepared aside. */
function costOf<On>(prepare: () => On, run: (on: On) => void, least = LEAST_MICROS): number {
  let spent = 0;
  let runs = 0;
  while (spent < least) {
    const batch = Array.from({ length: BATCH }, prepare);
    spent += timed(() => batch.forEach(run));
    runs += BATCH;
  }
  return spent / runs;
}

const perSecond = (micros: number) => Math.round(1_000_000 / micros).toLocaleString('en');
const APPENDS = 200;

function fromNothing(tellings: readonly FactBuilder[], least?: number): number {
  return costOf(
    () => EMPTY_BOOK,
    (nothing) => grow(tellings, nothing),
    least,
  );
}

function appended(tellings: readonly FactBuilder[]): number {
  const last = formatDay(addDays(ANCHOR, 2_000));
  const more = Array.from({ length: APPENDS }, (_, nth) => received(last, 1n, { reference: `more${nth}` }));
  // Each time to a book of its own: a second future of the same book would begin with a copy of it.
  return costOf(
    () => grow(tellings),
    (book) => grow(more, book),
  );
}

function measure(title: string, shape: (length: number) => FactBuilder[]): void {
  console.log(`\n${title}`);
  fromNothing(shape(100), 4 * LEAST_MICROS);
  const costs = LENGTHS.map((length) => {
    const tellings = shape(length);
    const whole = fromNothing(tellings) / length;
    const one = appended(tellings) / APPENDS;
    const cells = [length.toLocaleString('en').padStart(7), `${perSecond(whole)} a second from nothing`];
    console.log([...cells, `${perSecond(one)} a second appended`, `${one.toFixed(1)} µs each`].join('   '));
    return one;
  });
  console.log(`appending at 10,000 costs ${((costs[3] as number) / (costs[0] as number)).toFixed(2)} times that at 10`);
}

/** The common book: three Loans of twelve periods, five months paid, one late, a waiver; then money, and what is told. */
function withAnswers(): void {
  const months = Array.from({ length: 5 }, (_, nth) => formatDay(addDays(ANCHOR, 31 * (nth + 1))));
  const tellings: FactBuilder[] = [
    ...Array.from({ length: LOANS }, (_, nth) => loan(`L${nth}`, 10_000_00n)),
    ...months.map((on, nth) => received(on, 3_200_00n, { reference: `r${nth}` })),
    waived('2026-07-20', { period: 6, charge: 'interest', amount: 1_00n }, { loan: 'L0' }),
  ];
  const money = received('2026-07-25', 1_500_00n, { reference: 'new' });
  const append = (book: Book) => admitted(book, book.length + 1, money);
  const tell = (book: Book) => {
    const { book: after, entry, outcome } = append(book);
    receiptAnswer(after, entry as RecordedReceipt, 'c', calendars, outcome);
    paymentOptions(bookOnDay(after, dayOf('2026-07-25'), calendars), 'c');
    loanAnswer(after, 0, 't');
  };
  const common = () => grow(tellings);
  costOf(common, tell, 4 * LEAST_MICROS);
  console.log('\nA common book: three Loans of twelve periods');
  console.log(`append ${costOf(common, append).toFixed(1)} µs`);
  console.log(
    `append, its receipt read, payment options of all three, a Loan read ${costOf(common, tell).toFixed(1)} µs`,
  );
}

measure('A long book: three Loans, then Receipts', longBook);
measure('A book of many Loans: one after the other', manyLoans);
withAnswers();
