import { type Book, record, wholeFold } from '#test/reference-model/admit.ts';
import { type Day, toText } from '#test/reference-model/days.ts';
import { type Folded, fold } from '#test/reference-model/fold.ts';
import type { ActFact, BookInput, Fact, IssuanceFact, ReceiptFact } from '#test/reference-model/input.ts';
import type { Loan } from '#test/reference-model/loan.ts';
import type { Dice } from './dice.ts';
import { beginning, randomConfiguration, randomMarket } from './products.ts';

/** A book while it is being thrown: what was recorded, what was admitted of it, and the day the story has come to. */
export class Story {
  readonly dice: Dice;
  readonly input: BookInput;
  readonly book: Book;
  readonly start: Day;
  today: Day;
  private count = 0;

  constructor(dice: Dice) {
    this.dice = dice;
    this.start = beginning(dice);
    this.today = this.start;
    const second = dice.chance(0.12) ? 'USD' : 'MXN';
    const configurations: BookInput['configurations'] = { 'a@1': randomConfiguration(dice, 'MXN') };
    if (dice.chance(0.5) || second !== 'MXN') configurations['b@1'] = randomConfiguration(dice, second);
    this.input = { market: randomMarket(dice, this.start), configurations, facts: [], questions: [] };
    const law = { market: this.input.market, configurations };
    this.book = { law, facts: [], reached: new Map(), figures: new Map(), whole: undefined };
  }

  /** A name no fact has yet. */
  name(prefix: string): string {
    this.count += 1;
    return `${prefix}${this.count}`;
  }

  record(fact: Fact): boolean {
    this.input.facts.push(fact);
    return record(this.book, fact).admitted;
  }

  act(loan: Loan, kind: ActFact['kind'], on: Day, more: Partial<ActFact> = {}): boolean {
    const id = this.name('e');
    const fact: ActFact = {
      type: 'act',
      kind,
      id,
      reference: `act-${id}`,
      loan: loan.fact.id,
      on: toText(on),
      client_id: 'c',
      ...more,
    };
    return this.record(fact);
  }

  receipt(amount: bigint, on: Day, more: Partial<ReceiptFact> = {}): boolean {
    if (amount <= 0n) return false;
    return this.record({
      type: 'receipt',
      reference: this.name('r'),
      client_id: 'c',
      amount: Number(amount),
      value_date: toText(on),
      ...more,
    });
  }

  get loans(): Loan[] {
    return wholeFold(this.book).loans;
  }

  get issuances(): IssuanceFact[] {
    return this.book.facts.filter((fact) => fact.type === 'issuance');
  }

  admitted<T extends Fact['type']>(type: T): Extract<Fact, { type: T }>[] {
    return this.book.facts.filter((fact) => fact.type === type) as Extract<Fact, { type: T }>[];
  }

  /** The book as it stands at the end of a day: where plausible amounts are found. */
  at(on: Day): Folded {
    return fold(this.book.law, this.book.facts, on);
  }

  /** Time passes; once in a while the next fact is about a day long gone, or about a day on which something falls due. */
  day(): Day {
    const { dice } = this;
    const turn = dice.weighted([
      [5, 'passes'],
      [3, 'turning'],
      [2, 'same'],
      [3, 'back'],
    ] as const);
    if (turn === 'same') return this.today;
    if (turn === 'back') return dice.whole(this.start - 2, this.today);
    if (turn === 'turning') return this.turningDay();
    this.today += dice.whole(0, 24);
    return this.today;
  }

  /** A day near to a scheduled or due day from now on: there the answers change. */
  private turningDay(): Day {
    const { dice } = this;
    const days = this.loans.flatMap((loan) =>
      loan.periods.filter((period) => period.alive).flatMap((period) => [period.scheduledOn, period.dueOn]),
    );
    const ahead = days.filter((day) => day >= this.today - 3 && day <= this.today + 70);
    if (ahead.length === 0) return this.today;
    const day = dice.pick(ahead) + dice.pick([-1, 0, 0, 0, 1, 1, 2, 4]);
    if (dice.chance(0.7)) this.today = Math.max(this.today, day);
    return day;
  }
}
