/** What no book can break about money: the statement's identity, nothing negative, nothing lost. */
import { expect } from '@jest/globals';
import { addDays, type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { stateAfter } from '#libs/ledger/book.ts';
import { owedAmount, owedOf, owedTax } from '#libs/ledger/line.ts';
import { CHARGES } from '#libs/product/terms.ts';
import type { Dice } from '#test/properties/books/dice.ts';
import type { Question } from '#test/reference-model/input.ts';
import { law } from './law.ts';
import { ask, type Kept } from './production.ts';

interface Sums {
  currency: string;
  opening: number;
  charged: number;
  received: number;
  released: number;
  ceded_away: number;
  closing: number;
  interest_charged: number;
  commissions_charged: number;
  penalties_charged: number;
}

interface LoanStatement extends Sums {
  id: string;
  lines: { on: string; kind: string; charge: string; amount: number; tax: number; total: number }[];
}

interface Statement {
  loans: LoanStatement[];
  currencies: Sums[];
}

/** A day from shortly before the book begins until after most of its plans have ended. */
function someDay({ book }: Kept, dice: Dice): CivilDay {
  const anchors = book.loans.map(({ issuance }) => issuance.terms.anchor);
  return addDays(Math.min(...anchors) as CivilDay, dice.whole(-10, 420));
}

function statement(kept: Kept, from: CivilDay, to: CivilDay): Statement {
  const question: Question = { kind: 'statement', client_id: 'c', from: formatDay(from), to: formatDay(to) };
  return ask(kept, question) as Statement;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

law(
  'opening, charged, received, released and ceded away come to the closing, on every Loan and currency',
  ({ kept, dice }) => {
    const [one, other] = [someDay(kept, dice), someDay(kept, dice)];
    const { loans, currencies } = statement(kept, Math.min(one, other) as CivilDay, Math.max(one, other) as CivilDay);
    for (const each of [...loans, ...currencies]) {
      expect(each.opening + each.charged - each.received - each.released - each.ceded_away).toBe(each.closing);
    }
  },
);

law('the lines of a statement come to its sums', ({ kept, dice }) => {
  const [one, other] = [someDay(kept, dice), someDay(kept, dice)];
  const { loans } = statement(kept, Math.min(one, other) as CivilDay, Math.max(one, other) as CivilDay);
  for (const { lines, ...sums } of loans) {
    const of = (kind: string, ...charges: string[]) =>
      sum(
        lines
          .filter((line) => line.kind === kind && (charges.length === 0 || charges.includes(line.charge)))
          .map(({ total }) => total),
      );
    expect([of('charged'), of('received'), of('released'), of('ceded'), of('moved')]).toEqual([
      sums.charged,
      sums.received,
      sums.released,
      sums.ceded_away,
      0,
    ]);
    expect([of('charged', 'interest'), of('charged', 'fee', 'late_fee'), of('charged', 'penalty')]).toEqual([
      sums.interest_charged,
      sums.commissions_charged,
      sums.penalties_charged,
    ]);
    for (const line of lines) expect(line.amount + line.tax).toBe(line.total);
  }
});

law(
  'a statement opens with what the one before it closed with, and both together say what one over both says',
  ({ kept, dice }) => {
    const [from, middle, to] = [someDay(kept, dice), someDay(kept, dice), someDay(kept, dice)].sort(
      (a, b) => a - b,
    ) as [CivilDay, CivilDay, CivilDay];
    if (middle === to) return;
    const early = statement(kept, from, middle);
    const late = statement(kept, addDays(middle, 1), to);
    const whole = statement(kept, from, to);
    expect(late.loans.map(({ opening }) => opening)).toEqual(early.loans.map(({ closing }) => closing));
    whole.loans.forEach(({ id, opening, closing, received }, nth) => {
      const [a, b] = [early.loans[nth] as LoanStatement, late.loans[nth] as LoanStatement];
      expect({ id, opening, closing, received }).toEqual({
        id: a.id,
        opening: a.opening,
        closing: b.closing,
        received: a.received + b.received,
      });
    });
  },
);

/** Every number of an answer, with the path to it. What a restructure moves is negative where it leaves. */
function* numbers(value: unknown, path: string): Iterable<readonly [string, number]> {
  if (typeof value === 'number') yield [path, value];
  if (typeof value !== 'object' || value === null || ('kind' in value && value.kind === 'moved')) return;
  for (const [name, member] of Object.entries(value)) yield* numbers(member, `${path}.${name}`);
}

law('no answer states a figure below zero', ({ kept, input }) => {
  for (const question of input.questions) {
    const negative = [...numbers(ask(kept, question), question.kind)].filter(([, figure]) => figure < 0);
    expect(negative).toEqual([]);
  }
});

law('no line of any period is settled or waived beyond its charge', ({ kept }) => {
  for (const loan of kept.book.head.loans) {
    for (const period of loan?.periods ?? []) {
      for (const charge of CHARGES) {
        expect([owedAmount(period[charge]) >= 0n, owedTax(period[charge]) >= 0n]).toEqual([true, true]);
      }
    }
  }
});

law('a period that owed nothing once never owes again, whatever is recorded after it', ({ kept }) => {
  const { book, calendars } = kept;
  for (let count = 1; count <= book.steps.length; count += 1) {
    for (const loan of stateAfter(book, count, calendars).loans) {
      for (const period of loan?.periods ?? []) {
        if (period.settledOn === undefined) continue;
        expect(CHARGES.map((charge) => owedOf(period[charge]))).toEqual([0n, 0n, 0n, 0n, 0n]);
      }
    }
  }
});

law('money received is settled on a Loan that stands, or goes back to the Client', ({ kept }) => {
  const { book } = kept;
  const balance = new Map<string, bigint>();
  const add = (currency: string, amount: bigint) => balance.set(currency, (balance.get(currency) ?? 0n) + amount);
  for (const { fact } of book.log.facts(book.length)) {
    if (fact.type === 'receipt' && book.log.reversal(book.length, fact.reference) === undefined)
      add(fact.currency, fact.amount);
  }
  // An undone Loan's `paid` is what goes back under `undone`: it is never reduced.
  for (const loan of book.head.loans) if (loan !== undefined) add(loan.terms.currency, -loan.paid);
  for (let back = book.head.owedBack; back !== undefined; back = back.before) add(back.currency, -back.amount);
  expect([...balance.values()].filter((left) => left !== 0n)).toEqual([]);
});

law('each Receipt in force is settled, surplus and excess; a reversed one is nothing', ({ kept }) => {
  for (const { fact } of kept.recorded) {
    if (fact.type !== 'receipt') continue;
    const question: Question = { kind: 'receipt', receipt: fact.reference };
    const {
      settled,
      surplus,
      excess = 0,
    } = ask(kept, question) as { settled: number; surplus: number; excess?: number };
    const isReversed = kept.book.log.reversal(kept.book.length, fact.reference) !== undefined;
    expect(settled + surplus + excess).toBe(isReversed ? 0 : Number(fact.amount));
  }
});

law('what was paid on an undone Loan goes back to the cent', ({ kept }) => {
  const { undone } = ask(kept, { kind: 'obligations', client_id: 'c' }) as {
    undone: { loan_id: string; amount: number }[];
  };
  for (const loan of kept.book.head.loans) {
    if (loan === undefined) continue;
    const back = sum(undone.filter(({ loan_id }) => loan_id === loan.id).map(({ amount }) => amount));
    expect(back).toBe(loan.undone === undefined ? 0 : Number(loan.paid));
  }
});
