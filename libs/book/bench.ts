// biome-ignore-all lint/style/noRestrictedGlobals: a measurement reads a clock and prints what it read
/**
 * What the fold costs, in one thread: facts folded from nothing, facts appended to a book of some length, and an append
 * with the answers that are published with it.
 *
 *     npm run bench:fold
 */
import { admitFact } from '#libs/book/admit.ts';
import { loanAnswer } from '#libs/book/answers/loan.ts';
import { momentOf } from '#libs/book/answers/moment.ts';
import { paymentOptions } from '#libs/book/answers/payment-options.ts';
import { receiptAnswer } from '#libs/book/answers/receipt.ts';
import { type Added, type Book, NO_BOOK } from '#libs/book/book.ts';
import type { Fact } from '#libs/book/facts.ts';
import { calendars, issued, received, type Telling, waived } from '#libs/book/given.ts';
import type { Recorded, RecordedReceipt } from '#libs/book/record.ts';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { isRefusal } from '#libs/contract/refusals.ts';

const ANCHOR = dayOf('2026-01-01');
const LENGTHS = [10, 100, 1_000, 10_000];
const LOANS = 3;

const loan = (name: string, principal: bigint): Telling =>
  issued({
    loan: name,
    principal,
    termPeriods: 12,
    rate: '36',
    product: { amortisation: 'level_payment', schedules: [{ kind: 'anchored_monthly' }], toleranceDays: 3 },
    law: { calendar: { value: calendars('MX'), source: '', provisional: true } },
  });

/** Three Loans of twelve months, and money in parts a hundredth of what is owed, spread over the first year. */
function longBook(length: number): Telling[] {
  const loans = Array.from({ length: LOANS }, (_, nth) => loan(`L${nth}`, 100_000_00n));
  const money = Array.from({ length: length - LOANS }, (_, nth) => {
    const on = formatDay(addDays(ANCHOR, 20 + Math.floor((nth * 330) / length)));
    return received(on, 1_00n, { reference: `r${nth}` });
  });
  return [...loans, ...money];
}

/** A Client who pays a Loan of twelve months and takes the next: a Loan to twelve Receipts. */
function manyLoans(length: number): Telling[] {
  return Array.from({ length }, (_, nth) => {
    const round = Math.floor(nth / 13);
    if (nth % 13 === 0)
      return issued({ loan: `L${round}`, principal: 1_200_00n, termPeriods: 12, rate: '0', anchor: day(round * 12) });
    return received(day(round * 12 + (nth % 13) - 1), 100_00n, { reference: `r${nth}` });
  });
}

/** A month is taken for a day, so that hundreds of Loans find room. */
const day = (after: number) => formatDay(addDays(ANCHOR, Math.floor(after / 12)));

function admitted(book: Book, seq: number, telling: Telling): Added & { readonly entry: Recorded } {
  const fact = telling(book) as Fact;
  const entry: Recorded = { seq, fact, at: '2026-01-01T00:00:00Z', told: { reference: `a${seq}` } };
  const added = admitFact(book, entry, calendars);
  if (isRefusal(added)) throw new Error(`the book of the measurement refuses a fact: ${added.code}`);
  return { ...added, entry };
}

function grow(tellings: readonly Telling[], from: Book = NO_BOOK): Book {
  return tellings.reduce((book, telling) => admitted(book, book.length + 1, telling).book, from);
}

/** Microseconds of one run: the median of so many. */
function median(runs: number, run: () => number): number {
  const took = Array.from({ length: runs }, run).sort((a, b) => a - b);
  return took[runs >> 1] as number;
}

/** Microseconds of this thread, so that what else the machine does is not counted. */
function timed(run: () => unknown): number {
  const began = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(began);
  return user + system;
}

const perSecond = (micros: number) => Math.round(1_000_000 / micros).toLocaleString('en');
const APPENDS = 200;

function appended(length: number, shape: (length: number) => Telling[]): number {
  const last = formatDay(addDays(ANCHOR, 2_000));
  const more = Array.from({ length: APPENDS }, (_, nth) => received(last, 1n, { reference: `more${nth}` }));
  return median(9, () => {
    const book = grow(shape(length));
    return timed(() => grow(more, book)) / APPENDS;
  });
}

function measure(title: string, shape: (length: number) => Telling[]): void {
  console.log(`\n${title}`);
  const costs = LENGTHS.map((length) => {
    const tellings = shape(length);
    const whole = median(length < 10_000 ? 9 : 3, () => timed(() => grow(tellings))) / length;
    const one = appended(length, shape);
    const cells = [length.toLocaleString('en').padStart(7), `${perSecond(whole)} a second from nothing`];
    console.log([...cells, `${perSecond(one)} a second appended`, `${one.toFixed(1)} µs each`].join('   '));
    return one;
  });
  console.log(`appending at 10,000 costs ${((costs[3] as number) / (costs[0] as number)).toFixed(2)} times that at 10`);
}

/** The common book: three Loans of twelve periods, five months paid, one late, a waiver; then money, and what is told. */
function withAnswers(): void {
  const months = Array.from({ length: 5 }, (_, nth) => formatDay(addDays(ANCHOR, 31 * (nth + 1))));
  const tellings: Telling[] = [
    ...Array.from({ length: LOANS }, (_, nth) => loan(`L${nth}`, 10_000_00n)),
    ...months.map((on, nth) => received(on, 3_200_00n, { reference: `r${nth}` })),
    waived('2026-07-20', { period: 6, charge: 'interest', amount: 1_00n }, { loan: 'L0' }),
  ];
  const RUNS = 300;
  const money = received('2026-07-25', 1_500_00n, { reference: 'new' });
  const round = () => {
    const books = Array.from({ length: RUNS }, () => grow(tellings));
    const alone = timed(() => {
      for (const book of books) admitted(book, book.length + 1, money);
    });
    const fresh = Array.from({ length: RUNS }, () => grow(tellings));
    const told = timed(() => {
      for (const book of fresh) {
        const { book: after, entry, outcome } = admitted(book, book.length + 1, money);
        receiptAnswer(after, entry as RecordedReceipt, 'c', calendars, outcome);
        paymentOptions(momentOf(after, dayOf('2026-07-25'), calendars), 'c');
        loanAnswer(after, 0, 't');
      }
    });
    return { alone: alone / RUNS, told: told / RUNS };
  };
  // A service runs for weeks: the first rounds only make the machine know the code.
  for (let warm = 0; warm < 10; warm += 1) round();
  const rounds = Array.from({ length: 9 }, round);
  const middle = (of: (each: { alone: number; told: number }) => number) =>
    (rounds.map(of).sort((a, b) => a - b)[4] as number).toFixed(1);
  console.log('\nA common book: three Loans of twelve periods');
  console.log(`append ${middle(({ alone }) => alone)} µs`);
  console.log(`append, its receipt read, payment options of all three, a Loan read ${middle(({ told }) => told)} µs`);
}

measure('A long book: three Loans, then Receipts', longBook);
measure('A book of many Loans: one after the other', manyLoans);
withAnswers();
