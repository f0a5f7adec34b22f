import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { pesos } from '#libs/credit/testing/example.ts';
import type { Minor } from '#libs/money/minor.ts';
import {
  checkDrawdown,
  checkFacility,
  drawnAmount,
  facilityAnswer,
  facilityUseAnswer,
  headroomOf,
  type LoanUnderFacility,
} from './drawdown.ts';
import type { Facility } from './facility.ts';
import { minorOf } from './numbers.ts';

const facility = (change: Partial<Facility> = {}): Facility => ({
  id: 'facility',
  reference: 'facility-1',
  client_id: 'client-1',
  configuration_id: 'ins-000001',
  decided_version: 3,
  decision_id: 'decision-1',
  amount: pesos(1000),
  rate: { numerator: 3, denominator: 8, quotation: 'nominal_annual', percent: '37.5' },
  terms: [6, 12],
  opens_on: '2026-03-02',
  expires_on: '2026-12-31',
  line: false,
  actor: 'officer-7',
  basis: 'approved',
  ...change,
});

const line = facility({ id: 'line', line: true });
const minor = (whole: number) => BigInt(whole * 100) as Minor;

const loan = (facilityId: string, issued: number, unpaid = issued, countsAsDrawn = true): LoanUnderFacility => ({
  facilityId,
  issued: minor(issued),
  unpaid: minor(unpaid),
  countsAsDrawn,
});

const drawn = (of: Facility, loans: readonly LoanUnderFacility[], all: readonly Facility[] = [of]) =>
  drawnAmount(of, all, loans);

describe('what is drawn', () => {
  test('under a facility is everything ever issued, repaid or not', () => {
    expect(drawn(facility(), [loan('facility', 300, 0), loan('facility', 200)])).toBe(minor(500));
  });

  test('under a line is the unpaid principal, so repayment frees it', () => {
    expect(drawn(line, [loan('line', 300, 50), loan('line', 200)])).toBe(minor(250));
  });

  test('does not count a Loan that is undone, voided or cancelled', () => {
    expect(drawn(line, [loan('line', 300, 300, false)])).toBe(0n);
    expect(drawn(facility(), [loan('facility', 300, 300, false)])).toBe(0n);
  });

  test('does not count Loans under other facilities', () => {
    expect(drawn(facility(), [loan('another', 300)])).toBe(0n);
  });

  test('under a line includes the standing Loans of the lines it superseded', () => {
    const second = facility({ id: 'second', line: true, supersedes: 'line' });
    const third = facility({ id: 'third', line: true, supersedes: 'second' });
    const loans = [loan('line', 100, 40), loan('second', 20), loan('third', 3), loan('line', 500, 500, false)];
    const all = [line, second, third];
    expect(all.map((each) => drawn(each, loans, all))).toEqual([minor(40), minor(60), minor(63)]);
  });

  test('and the headroom add up to the amount', () => {
    const whole = fc.integer({ min: 0, max: 10 ** 6 });
    const anyLoan = fc
      .tuple(fc.constantFrom('line', 'facility', 'older'), whole, whole, fc.boolean())
      .map(([under, a, b, isCounted]) => loan(under, Math.max(a, b), Math.min(a, b), isCounted));
    fc.assert(
      fc.property(fc.array(anyLoan), fc.boolean(), whole, (loans, isLine, amount) => {
        const older = facility({ id: 'older', line: true });
        const subject = isLine ? facility({ id: 'line', line: true, supersedes: 'older' }) : facility();
        const of = { ...subject, amount: pesos(amount + 1) };
        const taken = drawn(of, loans, [older, of]);
        const answer = facilityUseAnswer(facilityAnswer(of, [older, of], 'then'), of, taken);
        expect(taken + headroomOf(of, taken)).toBe(minorOf(of.amount));
        expect(answer.drawn.minor_units + answer.headroom.minor_units).toBe(answer.amount.minor_units);
      }),
    );
  });
});

describe('a drawdown', () => {
  const drawdown = { anchor: dayOf('2026-06-01'), currency: 'MXN', principal: minor(400), financed: minor(300) };

  test.each([
    ['2026-03-01', 'outside_facility_window'],
    ['2026-03-02', undefined],
    ['2026-12-31', undefined],
    ['2027-01-01', 'outside_facility_window'],
  ])('anchored on %s has the refusal %p', (day, code) => {
    expect(checkDrawdown(facility(), minor(0), { ...drawdown, anchor: dayOf(day) })?.code).toBe(code);
  });

  test('counts the principal under a facility and the financed part under a line', () => {
    expect(checkDrawdown(facility(), minor(600), drawdown)).toBeUndefined();
    expect(checkDrawdown(facility(), minor(601), drawdown)).toMatchObject({
      code: 'facility_exhausted',
      details: { bound: pesos(399), observed: pesos(400) },
    });
    expect(checkDrawdown(line, minor(700), drawdown)).toBeUndefined();
    expect(checkDrawdown(line, minor(701), drawdown)?.details).toMatchObject({
      bound: pesos(299),
      observed: pesos(300),
    });
  });

  test('in another currency is refused', () => {
    expect(checkDrawdown(line, minor(0), { ...drawdown, currency: 'USD' })?.code).toBe('currency_mismatch');
  });

  test('never exceeds the amount, in any sequence of drawdowns', () => {
    const requested = fc.record({
      principal: fc.integer({ min: 1, max: 900 }),
      down: fc.integer({ min: 0, max: 300 }),
    });
    fc.assert(
      fc.property(fc.array(requested, { maxLength: 12 }), fc.boolean(), (sequence, isLine) => {
        const of = isLine ? line : facility();
        const loans: LoanUnderFacility[] = [];
        for (const { principal, down } of sequence) {
          const financed = Math.max(1, principal - down);
          const before = drawn(of, loans);
          const request = { ...drawdown, principal: minor(principal), financed: minor(financed) };
          const refusal = checkDrawdown(of, before, request);
          const after = before + minor(isLine ? financed : principal);
          // Refused exactly where it would exceed the amount.
          expect(refusal !== undefined).toBe(after > minorOf(of.amount));
          if (refusal === undefined) loans.push(loan(of.id, principal, financed));
        }
        expect(drawn(of, loans) <= minorOf(of.amount)).toBe(true);
      }),
    );
  });
});

describe('issuing under a facility', () => {
  const issuance = { facilityId: 'facility', clientId: 'client-1', configurationId: 'ins-000001' };
  const newer = facility({ id: 'newer', line: true, supersedes: 'line' });

  test.each<[string, Facility | undefined, Partial<typeof issuance>, string | undefined]>([
    ['is admitted for this Client and product', facility(), {}, undefined],
    ['is refused if the facility is unknown', undefined, {}, 'not_found'],
    ['is refused if it belongs to another Client', facility(), { clientId: 'client-2' }, 'facility_other_client'],
    ['is refused if it is superseded', line, {}, 'facility_superseded'],
    ['is refused if it covers another product', facility(), { configurationId: 'x' }, 'facility_other_configuration'],
    ['checks the Client before the supersession', line, { clientId: 'client-2' }, 'facility_other_client'],
    ['checks the supersession before the product', line, { configurationId: 'x' }, 'facility_superseded'],
  ])('%s', (_, named, change, code) => {
    expect(checkFacility(named, [facility(), line, newer], { ...issuance, ...change })?.code).toBe(code);
  });
});

test('a listed facility shows the line that superseded it, and not what is drawn', () => {
  const newer = facility({ id: 'newer', line: true, supersedes: 'line' });
  expect(facilityAnswer(line, [line, newer], '2026-03-01T18:00:00.000000Z')).toEqual({
    ...line,
    superseded_by: 'newer',
    created_at: '2026-03-01T18:00:00.000000Z',
  });
  expect(facilityAnswer(newer, [line, newer], 'then')).toEqual({ ...newer, created_at: 'then' });
});
