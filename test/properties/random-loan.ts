/** Random Loans with Receipts for the unit tests of libs/ledger. */
import fc from 'fast-check';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { type FactBuilder, type IssuanceExample, issued, received } from '#libs/ledger/testing/facts.ts';
import { given, type Scenario } from '#libs/ledger/testing/scenario.ts';
import { type Minor, ZERO } from '#libs/money/minor.ts';
import type { Amortisation, Charge, EarlyMoneyTreatment } from '#libs/product/terms.ts';

const ANCHOR = dayOf('2026-01-01');

/** The day this many days after the anchor, which all random Loans share. */
export function dayAfter(days: number): string {
  return formatDay(addDays(ANCHOR, days));
}

const AMORTISATIONS: Amortisation[] = ['level_payment', 'level_principal_and_interest', 'equal_principal'];
const TREATMENTS: EarlyMoneyTreatment[] = ['reduces_principal', 'shortens_term', 'settles_next'];
const TAXABLE: Charge[] = ['interest', 'fee', 'penalty', 'late_fee'];

const terms: fc.Arbitrary<IssuanceExample> = fc
  .record({
    principal: fc.bigInt({ min: 5_000n, max: 5_000_000n }),
    termPeriods: fc.integer({ min: 1, max: 8 }),
    rate: fc.constantFrom('0', '12', '33.33333333', '60'),
    penaltyRate: fc.constantFrom('0', '36', '72'),
    taxed: fc.subarray(TAXABLE),
    amortisation: fc.constantFrom(...AMORTISATIONS),
    treatment: fc.constantFrom(...TREATMENTS),
    lateFee: fc.constantFrom(ZERO, 250n as Minor),
    originationFee: fc.constantFrom(ZERO, 999n as Minor),
    toleranceDays: fc.constantFrom(0, 3),
  })
  .map(({ taxed, amortisation, treatment, lateFee, originationFee, toleranceDays, ...stated }) => ({
    ...stated,
    tax: { rate: '16', on: taxed },
    product: { amortisation, treatment, lateFee, originationFee, toleranceDays, penaltyBase: 'overdue_instalment' },
  }));

/** Receipts of the first ninety days, in percent of the principal. */
const payments = fc.array(
  fc.record({ day: fc.integer({ min: 0, max: 90 }), percent: fc.bigInt({ min: 1n, max: 60n }) }),
  {
    maxLength: 3,
  },
);

export type RandomLoan = {
  readonly facts: readonly FactBuilder[];
  readonly scenario: Scenario;
  readonly totalPaid: bigint;
};

/** A Loan under random terms with Receipts on or before its ninetieth day. */
export const randomLoan: fc.Arbitrary<RandomLoan> = fc.tuple(terms, payments).map(([stated, receipts]) => {
  const principal = stated.principal as bigint;
  const amounts = receipts.map(({ percent }) => (principal * percent) / 100n);
  const facts = [
    issued(stated),
    ...receipts.map(({ day }, index) => received(dayAfter(day), amounts[index] as bigint, { reference: `r${index}` })),
  ];
  return { facts, scenario: given(...facts), totalPaid: amounts.reduce((sum, each) => sum + each, 0n) };
});

/** A day after all Receipts of `randomLoan`. */
export const aLaterDay: fc.Arbitrary<string> = fc.integer({ min: 91, max: 300 }).map(dayAfter);
