/** Properties of money in any book: statements balance, nothing is negative, nothing is lost. */
import { expect } from '@jest/globals';
import { addDays, type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { stateAfter } from '#libs/ledger/checkpoints.ts';
import { owedAmount, owedTax, owedTotal } from '#libs/ledger/line.ts';
import { CHARGES } from '#libs/product/terms.ts';
import type { Random } from '#libs/runtime/random.ts';
import type { Question } from '#test/reference-model/input.ts';
import { answerQuestion, type ProductionBook } from './production-fold.ts';
import { propertyTest } from './property-test.ts';

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

/** A day between shortly before the book begins and after most of its plans end. */
function randomDay({ book }: ProductionBook, random: Random): CivilDay {
  const anchors = book.loans.map(({ issuance }) => issuance.terms.anchor);
  return addDays(Math.min(...anchors) as CivilDay, random.integer(-10, 420));
}

function statement(production: ProductionBook, from: CivilDay, to: CivilDay): Statement {
  const question: Question = { kind: 'statement', client_id: 'c', from: formatDay(from), to: formatDay(to) };
  return answerQuestion(production, question) as Statement;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

propertyTest(
  'opening, charged, received, released and ceded away add up to the closing, for every Loan and currency',
  ({ production, random }) => {
    const [one, other] = [randomDay(production, random), randomDay(production, random)];
    const { loans, currencies } = statement(
      production,
      Math.min(one, other) as CivilDay,
      Math.max(one, other) as CivilDay,
    );
    for (const each of [...loans, ...currencies]) {
      expect(each.opening + each.charged - each.received - each.released - each.ceded_away).toBe(each.closing);
    }
  },
);

propertyTest('the lines of a statement add up to its sums', ({ production, random }) => {
  const [one, other] = [randomDay(production, random), randomDay(production, random)];
  const { loans } = statement(production, Math.min(one, other) as CivilDay, Math.max(one, other) as CivilDay);
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

propertyTest(
  'consecutive statements join: the second opens with the closing of the first, and together they equal one over both',
  ({ production, random }) => {
    const [from, middle, to] = [
      randomDay(production, random),
      randomDay(production, random),
      randomDay(production, random),
    ].sort((a, b) => a - b) as [CivilDay, CivilDay, CivilDay];
    if (middle === to) return;
    const early = statement(production, from, middle);
    const late = statement(production, addDays(middle, 1), to);
    const whole = statement(production, from, to);
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

/** Every number of an answer with its path, except `moved` lines, which may be negative. */
function* numbers(value: unknown, path: string): Iterable<readonly [string, number]> {
  if (typeof value === 'number') yield [path, value];
  if (typeof value !== 'object' || value === null || ('kind' in value && value.kind === 'moved')) return;
  for (const [name, member] of Object.entries(value)) yield* numbers(member, `${path}.${name}`);
}

propertyTest('no answer has a negative figure', ({ production, input }) => {
  for (const question of input.questions) {
    const negative = [...numbers(answerQuestion(production, question), question.kind)].filter(
      ([, figure]) => figure < 0,
    );
    expect(negative).toEqual([]);
  }
});

propertyTest('no line of a period is settled or waived beyond its charge', ({ production }) => {
  for (const loan of production.book.head.loans) {
    for (const period of loan?.periods ?? []) {
      for (const charge of CHARGES) {
        expect([owedAmount(period[charge]) >= 0n, owedTax(period[charge]) >= 0n]).toEqual([true, true]);
      }
    }
  }
});

propertyTest('a settled period never owes anything again', ({ production }) => {
  const { book, calendars } = production;
  for (let count = 1; count <= book.steps.length; count += 1) {
    for (const loan of stateAfter(book, count, calendars).loans) {
      for (const period of loan?.periods ?? []) {
        if (period.settledOn === undefined) continue;
        expect(CHARGES.map((charge) => owedTotal(period[charge]))).toEqual([0n, 0n, 0n, 0n, 0n]);
      }
    }
  }
});

propertyTest('money received is settled on a Loan or owed back to the Client', ({ production }) => {
  const { book } = production;
  const balance = new Map<string, bigint>();
  const add = (currency: string, amount: bigint) => balance.set(currency, (balance.get(currency) ?? 0n) + amount);
  for (const { fact } of book.log.entries(book.length)) {
    if (fact.type === 'receipt' && book.log.reversal(book.length, fact.reference) === undefined)
      add(fact.currency, fact.amount);
  }
  // The `paid` of an undone Loan is owed back under `undone` and never reduced.
  for (const loan of book.head.loans) if (loan !== undefined) add(loan.terms.currency, -loan.paid);
  for (let back = book.head.owedBack; back !== undefined; back = back.before) add(back.currency, -back.amount);
  expect([...balance.values()].filter((left) => left !== 0n)).toEqual([]);
});

propertyTest(
  'settled, surplus and excess of a Receipt add up to its amount, or to zero when it is reversed',
  ({ production }) => {
    for (const { fact } of production.recorded) {
      if (fact.type !== 'receipt') continue;
      const question: Question = { kind: 'receipt', receipt: fact.reference };
      const {
        settled,
        surplus,
        excess = 0,
      } = answerQuestion(production, question) as { settled: number; surplus: number; excess?: number };
      const isReversed = production.book.log.reversal(production.book.length, fact.reference) !== undefined;
      expect(settled + surplus + excess).toBe(isReversed ? 0 : Number(fact.amount));
    }
  },
);

propertyTest('everything paid on an undone Loan is owed back', ({ production }) => {
  const { undone } = answerQuestion(production, { kind: 'obligations', client_id: 'c' }) as {
    undone: { loan_id: string; amount: number }[];
  };
  for (const loan of production.book.head.loans) {
    if (loan === undefined) continue;
    const back = sum(undone.filter(({ loan_id }) => loan_id === loan.id).map(({ amount }) => amount));
    expect(back).toBe(loan.undone === undefined ? 0 : Number(loan.paid));
  }
});
