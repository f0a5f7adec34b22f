import { expect, test } from '@jest/globals';
import { issued } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import type { Minor } from '#libs/money/minor.ts';
import { MX } from '#libs/product/markets/mx.ts';

const mexican = (fee: Minor, feeTaxed = true) =>
  given(
    issued({
      principal: 10_000_00n,
      termPeriods: 12,
      rate: '36',
      penaltyRate: '0',
      anchor: '2025-01-15',
      tax: { rate: '16', on: feeTaxed ? ['interest', 'fee'] : ['interest'] },
      product: { amortisation: 'level_payment', schedules: [{ kind: 'anchored_monthly' }], originationFee: fee },
      law: MX,
    }),
  ).book.loans[0]?.issuance;

test('10,000.00 MXN at 36 % with IVA, over twelve months: eleven payments of 1,035.61 and one of 1,035.65', () => {
  const loan = mexican(0n as Minor);
  const payments = loan?.plan.periods.map(({ principal, interest, fee, tax }) => principal + interest + fee + tax);
  expect(payments).toEqual([...Array.from({ length: 11 }, () => 1_035_61n), 1_035_65n]);
  expect(loan?.plan.periods[0]).toMatchObject({ principal: 676_01n, interest: 310_00n, tax: 49_60n });
  expect(loan?.disclosure).toMatchObject({ figure: '43.1', convention: 'mx-cat', version: 2 });
});

test('with an origination fee of 300.00 in its first period the CAT is 51.5, whether the fee is taxed or not', () => {
  for (const taxed of [true, false]) {
    const loan = mexican(300_00n as Minor, taxed);
    expect(loan?.disclosure.figure).toBe('51.5');
    expect(loan?.plan.periods[0]).toMatchObject({
      principal: 676_01n,
      interest: 310_00n,
      fee: 300_00n,
      tax: taxed ? 49_60n + 48_00n : 49_60n,
    });
  }
});

test('due days move to banking days of Mexico, interest keeps to the scheduled days', () => {
  const [first, second] = mexican(0n as Minor)?.plan.periods ?? [];
  // 2025-02-15 and 2025-03-15 are Saturdays; Monday 17 March is a holiday.
  expect(first).toMatchObject({ dueOn: (first?.scheduledOn ?? 0) + 2 });
  expect(second).toMatchObject({ dueOn: (second?.scheduledOn ?? 0) + 3 });
});
