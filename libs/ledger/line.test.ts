import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  carry,
  charging,
  isOwed,
  movedIn,
  NO_LINE,
  owed,
  owedOf,
  recharge,
  settle,
  shareOf,
  taxOn,
  waive,
} from '#libs/ledger/line.ts';
import { type Rate, rateOf } from '#libs/money/rate.ts';

const IVA = rateOf('16');

test('tax is a line’s amount at the rate, rounded once, half to even', () => {
  expect(taxOn(1_00n, IVA)).toBe(16n);
  // 12.5 at 50 % of 25, and 37.5 of 75.
  expect([taxOn(25n, rateOf('50')), taxOn(75n, rateOf('50'))]).toEqual([12n, 38n]);
});

test('a waived part takes its tax with it, and no tax that was settled', () => {
  const line = waive(charging(900n, IVA), 450n, IVA);
  expect(owed(line)).toEqual({ amount: 450n, tax: 72n });
  const paid = waive(settle(charging(900n, IVA), { amount: 800n, tax: 128n }), 100n, IVA);
  expect(owed(paid)).toEqual({ amount: 0n, tax: 0n });
});

test('a charge recomputed below what was settled stands at that, with the tax settled', () => {
  const paid = settle(charging(900n, IVA), { amount: 600n, tax: 96n });
  expect(recharge(paid, 500n, IVA)).toMatchObject({ charged: 600n, tax: 96n });
  expect(recharge(paid, 700n, IVA)).toMatchObject({ charged: 700n, tax: 112n });
});

test('a charge recomputed below what was waived of it stands at that, and asks for no tax', () => {
  const line = recharge(waive(charging(900n, IVA), 450n, IVA), 400n, IVA);
  expect(line.charged).toBe(450n);
  expect(owed(line)).toEqual({ amount: 0n, tax: 0n });
});

test('what an act carried in keeps its tax as it stood, whatever the line charges by itself', () => {
  expect(movedIn({ amount: 100n, tax: 7n })).toMatchObject({ charged: 100n, tax: 7n });
  const line = carry(charging(900n, IVA), { amount: 100n, tax: 7n }, IVA);
  expect(owed(line)).toEqual({ amount: 1_000n, tax: 144n + 7n });
  expect(owed(recharge(line, 0n, IVA))).toEqual({ amount: 100n, tax: 7n });
  expect(carry(line, { amount: 0n, tax: 0n }, IVA)).toBe(line);
});

test('money for part of a line is split by the share of the tax', () => {
  expect(shareOf({ amount: 900n, tax: 144n }, 522n)).toEqual({ amount: 450n, tax: 72n });
  expect(shareOf({ amount: 900n, tax: 144n }, 5_000n)).toEqual({ amount: 900n, tax: 144n });
});

test('law: whatever is settled, waived and recomputed, a line never owes less than nothing', () => {
  const parts = fc.array(fc.tuple(fc.constantFrom('pay', 'waive', 'charge'), fc.bigInt(0n, 2_000n)), { maxLength: 8 });
  fc.assert(
    fc.property(fc.bigInt(1n, 2_000n), fc.constantFrom(0n as Rate, IVA, rateOf('12.5')), parts, (own, rate, acts) => {
      let line = charging(own, rate);
      for (const [what, amount] of acts) {
        const { amount: most } = owed(line);
        const before = line.settled + line.settledTax;
        const share = shareOf(owed(line), amount);
        if (what === 'pay' && owedOf(line) > 0n) line = settle(line, share);
        if (what === 'waive') line = waive(line, amount < most ? amount : most, rate);
        if (what === 'charge') line = recharge(line, amount, rate);
        expect(owed(line).amount).toBeGreaterThanOrEqual(0n);
        expect(owed(line).tax).toBeGreaterThanOrEqual(0n);
        expect(line.settled + line.settledTax).toBeGreaterThanOrEqual(before);
      }
    }),
  );
});

test('a line is owed exactly where something of it is', () => {
  const amount = fc.bigInt({ min: 0n, max: 2_000n });
  const move = fc.tuple(fc.constantFrom('recharge', 'waive', 'settle', 'carry'), amount);
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), (moves) => {
      let line = NO_LINE;
      for (const [kind, money] of moves) {
        const due = owed(line);
        if (kind === 'recharge') line = recharge(line, money, IVA);
        if (kind === 'waive') line = waive(line, money < due.amount ? money : due.amount, IVA);
        if (kind === 'settle') line = settle(line, shareOf(due, money));
        if (kind === 'carry') line = carry(line, { amount: money, tax: money / 7n }, IVA);
        expect(owedOf(line)).toBeGreaterThanOrEqual(0n);
        expect(isOwed(line)).toBe(owedOf(line) > 0n);
      }
    }),
  );
});
