import { describe, expect, test } from '@jest/globals';
import { dayOf } from '#libs/calendar/civil-day.ts';
import {
  calendars,
  type FactBuilder,
  issued,
  received,
  retracted,
  returned,
  waived,
  withdrawn,
} from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { type BookChanges, bookChanges, type FigureChange } from './book-changes.ts';
import { emptyClientBook } from './client-book.ts';

type ChangedFigure = readonly [figure: string, from: FigureChange['from'], to: FigureChange['to']];

/** The changed figures whose name includes `within`, between two versions of a book, on a day after all its facts. */
function changed(
  facts: readonly FactBuilder[],
  [fromFacts, toFacts]: readonly [number, number],
  within: string,
): ChangedFigure[] {
  const book = { ...emptyClientBook('acme', 'c'), folded: given(...facts).book };
  const question = { on: dayOf('2026-03-01'), homeCurrency: 'MXN', calendars };
  const work = bookChanges(book, { fromFacts, toFacts }, question, Number.POSITIVE_INFINITY);
  for (;;) {
    const step = work.next();
    if (step.done !== true) continue;
    const { changes } = step.value as BookChanges;
    return changes
      .filter(({ figure }) => figure.includes(within))
      .map(({ figure, from, to }) => [figure, from, to] as const);
  }
}

const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });

describe('members of a list are named by their own key', () => {
  const waivers = [
    issued(),
    waived('2026-02-10', { period: 1, charge: 'interest', amount: 2_00n }, { event: 'w1' }),
    waived('2026-02-11', { period: 2, charge: 'interest', amount: 1_00n }, { event: 'w2' }),
  ];

  test('a second waiver of the same charge does not change the first', () => {
    expect(changed(waivers, [2, 3], '/waivers/')).toEqual([
      ['/loans/L/payment_options/waivers/w2/amount', undefined, mxn(1_00)],
      ['/loans/L/payment_options/waivers/w2/charge', undefined, 'interest'],
      ['/loans/L/payment_options/waivers/w2/on', undefined, '2026-02-11'],
      ['/loans/L/payment_options/waivers/w2/period', undefined, 2],
      ['/loans/L/payment_options/waivers/w2/reference', undefined, 'w2'],
    ]);
  });

  test('a retracted waiver disappears and others stay', () => {
    const changes = changed([...waivers, retracted('2026-02-12', 'w1')], [3, 4], '/waivers/');
    expect(changes).toContainEqual(['/loans/L/payment_options/waivers/w1/amount', mxn(2_00), undefined]);
    expect(changes).toHaveLength(5);
  });

  test('each Receipt of an undone Loan is an entry of its own', () => {
    const facts = [
      issued({ product: { withdrawalDays: 14 } }),
      received('2026-01-03', 10_00n, { reference: 'r1' }),
      received('2026-01-04', 20_00n, { reference: 'r2' }),
      received('2026-01-05', 5_00n, { reference: 'r/3' }),
      withdrawn('2026-01-06'),
    ];
    const amounts = changed(facts, [4, 5], '/undone/').filter(([figure]) => figure.endsWith('/amount'));
    expect(amounts).toEqual([
      ['/obligations/undone/L/r1/amount', undefined, mxn(10_00)],
      ['/obligations/undone/L/r2/amount', undefined, mxn(20_00)],
      ['/obligations/undone/L/r~13/amount', undefined, mxn(5_00)],
    ]);
  });

  test('two returns on one Loan are two entries', () => {
    const facts = [
      issued(),
      received('2026-01-31', 310_44n),
      returned('2026-02-02', 700_00n, { event: 'b1' }),
      received('2026-02-05', 10_00n),
      returned('2026-02-06', 100_00n, { event: 'b2' }),
    ];
    const acts = changed(facts, [0, 5], '/obligations/returned/').filter(([figure]) => figure.endsWith('/act'));
    expect(acts).toEqual([
      ['/obligations/returned/b1/act', undefined, 'b1'],
      ['/obligations/returned/b2/act', undefined, 'b2'],
    ]);
  });
});
