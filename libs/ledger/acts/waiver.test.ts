import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { issued, received, waived } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, randomLoan } from '#test/properties/random-loan.ts';

test('waiving half of the overdue interest leaves the other half and its tax', () => {
  const after = given(issued()).when(waived('2026-02-03', { period: 1, charge: 'interest', amount: 450n }));
  // The first period's other half, and three days of the second period.
  expect(after.owes('2026-02-03')).toEqual({
    principal: 900_00n,
    interest: 450n + 60n,
    penalty: 90n,
    tax: 72n + 10n + 14n,
  });
  expect(after.loan().waivers).toMatchObject([{ period: 1, charge: 'interest', amount: 450n }]);
});

test('principal cannot be waived', () => {
  const after = given(issued()).when(waived('2026-02-03', { period: 1, charge: 'principal', amount: 1n }));
  expect(after.refusal).toMatchObject({ code: 'charge_not_waivable', status: 422 });
});

test('interest of the running period can be waived as far as it has accrued', () => {
  const loan = given(issued());
  expect(loan.when(waived('2026-01-16', { period: 1, charge: 'interest', amount: 450n }))).toBeAdmitted();
  expect(loan.when(waived('2026-01-16', { period: 1, charge: 'interest', amount: 451n }))).toBeRefused(
    'waiver_exceeds_charge',
    { bound: moneyFigure(450n, 'MXN'), observed: moneyFigure(451n, 'MXN') },
  );
});

test('nothing can be waived of a later period, of a missing period, or of what was paid', () => {
  const paid = given(issued(), received('2026-01-31', 310_44n));
  for (const period of [1, 3, 9]) {
    expect(paid.when(waived('2026-02-05', { period, charge: 'interest', amount: 1n }))).toBeRefused(
      'waiver_exceeds_charge',
    );
  }
});

test('a waiver of a charge that a late report paid in part waives the rest and is an anomaly', () => {
  const known = given(issued(), waived('2026-02-05', { period: 1, charge: 'penalty', amount: 150n }));
  expect(known.owes('2026-02-05').penalty).toBeUndefined();
  // Two of the five days of penalty were paid, with their tax; the rest of the money went to interest.
  const after = known.when(received('2026-02-02', 70n + 70n));
  expect(after.anomalies()).toEqual([['waived', 'waiver_exceeds_charge']]);
  expect(after.owes('2026-02-05').penalty).toBeUndefined();
  expect(after.loan().waivers).toMatchObject([{ amount: 90n }]);
});

test('a waiver of a charge that a late report paid in full has no effect and is an anomaly', () => {
  const after = given(issued(), waived('2026-02-05', { period: 1, charge: 'interest', amount: 900n })).when(
    received('2026-01-31', 310_44n),
  );
  expect(after.anomalies()).toEqual([['waived', 'waiver_exceeds_charge']]);
  expect(after.loan().waivers).toEqual([]);
});

test('law: a waiver lowers only its own charge, and never by more than is owed', () => {
  const charges = fc.constantFrom('interest' as const, 'fee' as const, 'penalty' as const, 'late_fee' as const);
  fc.assert(
    fc.property(
      randomLoan,
      aLaterDay,
      charges,
      fc.integer({ min: 1, max: 8 }),
      fc.bigInt(1n, 5_000n),
      (loan, on, charge, period, amount) => {
        const before = loan.scenario.owes(on);
        const after = loan.scenario.when(waived(on, { period, charge, amount }));
        if (after.refusal !== undefined) {
          expect(after.owes(on)).toEqual(before);
          return;
        }
        const { tax: taxBefore = 0n, ...was } = before;
        const { tax: taxAfter = 0n, ...is } = after.owes(on);
        expect({ ...is, [charge]: (is[charge] ?? 0n) + amount }).toEqual(was);
        expect(taxAfter).toBeGreaterThanOrEqual(0n);
        expect(taxAfter).toBeLessThanOrEqual(taxBefore);
      },
    ),
  );
});

test('a waiver lowers the charge of the period it names', () => {
  const after = given(issued()).when(waived('2026-03-05', { period: 2, charge: 'penalty', amount: 50n }));
  expect(after.loan().periods.map(({ penalty }) => penalty.waived)).toEqual([0n, 50n, 0n]);
});
