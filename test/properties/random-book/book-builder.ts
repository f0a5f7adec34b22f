/** Builds a random book fact by fact, with the reference model deciding what is admitted. */

import type { Random } from '#libs/runtime/random.ts';
import { type Book, foldAll, recordFact } from '#test/reference-model/admit.ts';
import { type Day, toText } from '#test/reference-model/days.ts';
import { type FoldResult, fold } from '#test/reference-model/fold.ts';
import type { ActFact, BookInput, Fact, IssuanceFact, ReceiptFact } from '#test/reference-model/input.ts';
import type { Loan } from '#test/reference-model/loan.ts';
import { randomConfiguration, randomMarket, randomStart } from './random-products.ts';

/** A random book under construction: its input, the facts admitted so far, and the current day. */
export class BookBuilder {
  readonly random: Random;
  readonly input: BookInput;
  readonly book: Book;
  readonly start: Day;
  today: Day;
  private count = 0;

  constructor(random: Random) {
    this.random = random;
    this.start = randomStart(random);
    this.today = this.start;
    const secondCurrency = random.chance(0.12) ? 'USD' : 'MXN';
    const configurations: BookInput['configurations'] = { 'a@1': randomConfiguration(random, 'MXN') };
    if (random.chance(0.5) || secondCurrency !== 'MXN')
      configurations['b@1'] = randomConfiguration(random, secondCurrency);
    this.input = { market: randomMarket(random, this.start), configurations, facts: [], questions: [] };
    const law = { market: this.input.market, configurations };
    this.book = { context: law, facts: [], settledLoans: new Map(), figures: new Map(), latest: undefined };
  }

  /** A name that no fact has yet. */
  newName(prefix: string): string {
    this.count += 1;
    return `${prefix}${this.count}`;
  }

  record(fact: Fact): boolean {
    this.input.facts.push(fact);
    return recordFact(this.book, fact).admitted;
  }

  act(loan: Loan, kind: ActFact['kind'], on: Day, members: Partial<ActFact> = {}): boolean {
    const id = this.newName('e');
    const fact: ActFact = {
      type: 'act',
      kind,
      id,
      reference: `act-${id}`,
      loan: loan.fact.id,
      on: toText(on),
      client_id: 'c',
      ...members,
    };
    return this.record(fact);
  }

  receipt(amount: bigint, on: Day, members: Partial<ReceiptFact> = {}): boolean {
    if (amount <= 0n) return false;
    return this.record({
      type: 'receipt',
      reference: this.newName('r'),
      client_id: 'c',
      amount: Number(amount),
      value_date: toText(on),
      ...members,
    });
  }

  get loans(): Loan[] {
    return foldAll(this.book).loans;
  }

  get issuances(): IssuanceFact[] {
    return this.book.facts.filter((fact) => fact.type === 'issuance');
  }

  admitted<T extends Fact['type']>(type: T): Extract<Fact, { type: T }>[] {
    return this.book.facts.filter((fact) => fact.type === type) as Extract<Fact, { type: T }>[];
  }

  /** The fold at the end of a day, from which plausible amounts are chosen. */
  foldTo(on: Day): FoldResult {
    return fold(this.book.context, this.book.facts, on);
  }

  /** The day of the next fact: later, the same, in the past, or near a day on which something falls due. */
  nextDay(): Day {
    const { random } = this;
    const choice = random.weighted([
      [5, 'later'],
      [3, 'near_due_day'],
      [2, 'same'],
      [3, 'past'],
    ] as const);
    if (choice === 'same') return this.today;
    if (choice === 'past') return random.integer(this.start - 2, this.today);
    if (choice === 'near_due_day') return this.nearDueDay();
    this.today += random.integer(0, 24);
    return this.today;
  }

  /** A day near an upcoming scheduled or due day, where answers change. */
  private nearDueDay(): Day {
    const { random } = this;
    const days = this.loans.flatMap((loan) =>
      loan.periods.filter((period) => period.alive).flatMap((period) => [period.scheduledOn, period.dueOn]),
    );
    const ahead = days.filter((day) => day >= this.today - 3 && day <= this.today + 70);
    if (ahead.length === 0) return this.today;
    const day = random.pick(ahead) + random.pick([-1, 0, 0, 0, 1, 1, 2, 4]);
    if (random.chance(0.7)) this.today = Math.max(this.today, day);
    return day;
  }
}
