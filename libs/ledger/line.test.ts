import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  EMPTY_LINE,
  isOwed,
  lineOfMoved,
  moveInto,
  newLine,
  owedTaxed,
  owedTotal,
  payablePart,
  recharge,
  settle,
  taxOn,
  waive,
} from '#libs/ledger/line.ts';
import { type Rate, rateOf } from '#libs/money/rate.ts';

const IVA = rateOf('16');

test('the tax of a line is its amount at the rate, rounded once, half to even', () => {
  expect(taxOn(1_00n, IVA)).toBe(16n);
  // 12.5 at 50 % of 25, and 37.5 of 75.
  expect([taxOn(25n, rateOf('50')), taxOn(75n, rateOf('50'))]).toEqual([12n, 38n]);
});

test('a waiver waives the tax on its amount too, but never tax that was settled', () => {
  const line = waive(newLine(900n, IVA), 450n, IVA);
  expect(owedTaxed(line)).toEqual({ amount: 450n, tax: 72n });
  const paid = waive(settle(newLine(900n, IVA), { amount: 800n, tax: 128n }), 100n, IVA);
  expect(owedTaxed(paid)).toEqual({ amount: 0n, tax: 0n });
});

test('a charge recomputed below what was settled stays at that, with the settled tax', () => {
  const paid = settle(newLine(900n, IVA), { amount: 600n, tax: 96n });
  expect(recharge(paid, 500n, IVA)).toMatchObject({ charged: 600n, tax: 96n });
  expect(recharge(paid, 700n, IVA)).toMatchObject({ charged: 700n, tax: 112n });
});

test('a charge recomputed below what was waived stays at that, and owes no tax', () => {
  const line = recharge(waive(newLine(900n, IVA), 450n, IVA), 400n, IVA);
  expect(line.charged).toBe(450n);
  expect(owedTaxed(line)).toEqual({ amount: 0n, tax: 0n });
});

test('what an act moved into a line keeps its tax when the line’s own charge changes', () => {
  expect(lineOfMoved({ amount: 100n, tax: 7n })).toMatchObject({ charged: 100n, tax: 7n });
  const line = moveInto(newLine(900n, IVA), { amount: 100n, tax: 7n }, IVA);
  expect(owedTaxed(line)).toEqual({ amount: 1_000n, tax: 144n + 7n });
  expect(owedTaxed(recharge(line, 0n, IVA))).toEqual({ amount: 100n, tax: 7n });
  expect(moveInto(line, { amount: 0n, tax: 0n }, IVA)).toBe(line);
});

test('money for part of a line pays its share of the tax', () => {
  expect(payablePart({ amount: 900n, tax: 144n }, 522n)).toEqual({ amount: 450n, tax: 72n });
  expect(payablePart({ amount: 900n, tax: 144n }, 5_000n)).toEqual({ amount: 900n, tax: 144n });
});

test('law: a line never owes less than zero, whatever is settled, waived and recomputed', () => {
  const parts = fc.array(fc.tuple(fc.constantFrom('pay', 'waive', 'charge'), fc.bigInt(0n, 2_000n)), { maxLength: 8 });
  fc.assert(
    fc.property(fc.bigInt(1n, 2_000n), fc.constantFrom(0n as Rate, IVA, rateOf('12.5')), parts, (own, rate, acts) => {
      let line = newLine(own, rate);
      for (const [what, amount] of acts) {
        const { amount: most } = owedTaxed(line);
        const before = line.settled + line.settledTax;
        const share = payablePart(owedTaxed(line), amount);
        if (what === 'pay' && owedTotal(line) > 0n) line = settle(line, share);
        if (what === 'waive') line = waive(line, amount < most ? amount : most, rate);
        if (what === 'charge') line = recharge(line, amount, rate);
        expect(owedTaxed(line).amount).toBeGreaterThanOrEqual(0n);
        expect(owedTaxed(line).tax).toBeGreaterThanOrEqual(0n);
        expect(line.settled + line.settledTax).toBeGreaterThanOrEqual(before);
      }
    }),
  );
});

test('a line is owed exactly when its amount or its tax is', () => {
  const amount = fc.bigInt({ min: 0n, max: 2_000n });
  const move = fc.tuple(fc.constantFrom('recharge', 'waive', 'settle', 'carry'), amount);
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), (moves) => {
      let line = EMPTY_LINE;
      for (const [kind, money] of moves) {
        const due = owedTaxed(line);
        if (kind === 'recharge') line = recharge(line, money, IVA);
        if (kind === 'waive') line = waive(line, money < due.amount ? money : due.amount, IVA);
        if (kind === 'settle') line = settle(line, payablePart(due, money));
        if (kind === 'carry') line = moveInto(line, { amount: money, tax: money / 7n }, IVA);
        expect(owedTotal(line)).toBeGreaterThanOrEqual(0n);
        expect(isOwed(line)).toBe(owedTotal(line) > 0n);
      }
    }),
  );
});
