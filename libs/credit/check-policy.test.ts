import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal } from '#libs/schema/refusals.ts';
import { checkPolicy, readCheckedPolicy, refuseRateWithoutDecimal } from './check-policy.ts';
import { decimalOf, parseDecimal } from './numbers.ts';
import { contains } from './policy.ts';
import { admitted, pesos, policyContent, refused } from './testing/example.ts';

type Draft = Record<string, unknown>;

/** A copy of the example policy with a change. */
function changed(change: (draft: Draft) => void): Draft {
  const draft = structuredClone(policyContent) as Draft;
  change(draft);
  return draft;
}

/** The example policy with other members in one item of a list. */
const within = (list: string, index: number, members: object) =>
  changed((draft) => {
    const items = draft[list] as Draft[];
    items[index] = { ...items[index], ...members };
  });

const without = (list: string, index: number, member: string) =>
  changed((draft) => {
    delete (draft[list] as Draft[])[index]?.[member];
  });

const bins = (...items: object[]) => within('scorecard', 0, { bins: items });
const bands = (...items: object[]) => changed((draft) => Object.assign(draft, { bands: items }));

const refuses = (id: string, ends: object = {}) => ({ id, outcome: 'refuse', ...ends });
const ratio = { numerator: 1, denominator: 2, quotation: 'nominal_annual' };

describe('a policy content', () => {
  test('is accepted; its only finding is the gap below zero months', () => {
    expect(admitted(checkPolicy(policyContent)).findings).toEqual([
      { code: 'bins_leave_gap', field: '/content/scorecard/1/bins' },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['is not an object', [], '/content'],
    ['has an unknown member', changed((draft) => Object.assign(draft, { 'a/b': 1 })), '/content/a~1b'],
    ['misspells a member', within('bands', 0, { moratorum_days: 3 }), '/content/bands/0/moratorum_days'],
    [
      'has no knockouts member',
      changed((draft) => Object.assign(draft, { knockouts: undefined })),
      '/content/knockouts',
    ],
    [
      'has fractional base points',
      changed((draft) => Object.assign(draft, { base_points: 1.5 })),
      '/content/base_points',
    ],
    ['names an attribute twice', within('attributes', 1, { name: 'age' }), '/content/attributes/1/name'],
    ['has a blank attribute name', within('attributes', 0, { name: ' ' }), '/content/attributes/0/name'],
    [
      'has a knockout on an undeclared attribute',
      within('knockouts', 1, { attribute: 'Age' }),
      '/content/knockouts/1/attribute',
    ],
    [
      'scores an undeclared attribute',
      within('scorecard', 0, { attribute: 'wealth' }),
      '/content/scorecard/0/attribute',
    ],
    ['has two knockouts with the same id', within('knockouts', 2, { id: 'age' }), '/content/knockouts/2/id'],
    ['has two characteristics with the same id', within('scorecard', 1, { id: 'income' }), '/content/scorecard/1/id'],
    ['has two bands with the same id', within('bands', 3, { id: 'low' }), '/content/bands/3/id'],
    ['has an unknown comparison', within('knockouts', 0, { comparison: 'under' }), '/content/knockouts/0/comparison'],
    ['has a knockout that approves', within('knockouts', 0, { outcome: 'approve' }), '/content/knockouts/0/outcome'],
    [
      'has a bound with nine decimal places',
      within('knockouts', 0, { bound: '0.000000001' }),
      '/content/knockouts/0/bound',
    ],
    [
      'does not state the effect of an unknown value',
      without('knockouts', 0, 'when_unknown'),
      '/content/knockouts/0/when_unknown',
    ],
    [
      'does not state the points of an unknown value',
      without('scorecard', 0, 'when_unknown'),
      '/content/scorecard/0/when_unknown',
    ],
    [
      'has a moratorium of half a day',
      within('bands', 0, { moratorium_days: 0.5 }),
      '/content/bands/0/moratorium_days',
    ],
    [
      'has a negative moratorium',
      within('knockouts', 1, { moratorium_days: -1 }),
      '/content/knockouts/1/moratorium_days',
    ],
    ['has null for an absent member', within('bands', 0, { from: null }), '/content/bands/0/from'],
    ['approves without a rate', without('bands', 2, 'rate'), '/content/bands/2/rate'],
    ['has a rate of zero', within('bands', 2, { rate: { ...ratio, numerator: 0 } }), '/content/bands/2/rate/numerator'],
    [
      'has an unknown quotation',
      within('bands', 2, { rate: { ...ratio, quotation: 'flat' } }),
      '/content/bands/2/rate/quotation',
    ],
    [
      'has a rate that no Loan can state',
      within('bands', 2, { rate: { ...ratio, numerator: 20_000 } }),
      '/content/bands/2/rate',
    ],
    ['offers no term', within('bands', 2, { terms: [] }), '/content/bands/2/terms'],
    ['offers a term twice', within('bands', 2, { terms: [6, 6] }), '/content/bands/2/terms/1'],
    ['offers a term of 601 periods', within('bands', 2, { terms: [601] }), '/content/bands/2/terms/0'],
    [
      'has a cap of zero',
      within('bands', 2, { principal_max: pesos(0) }),
      '/content/bands/2/principal_max/minor_units',
    ],
    [
      'has caps in two currencies',
      within('bands', 3, { principal_max: { minor_units: 1, currency: 'USD' } }),
      '/content/bands/3/principal_max/currency',
    ],
    [
      'has an unknown time zone',
      changed((draft) => Object.assign(draft, { time_zone: 'Mars/Base' })),
      '/content/time_zone',
    ],
    [
      'has an offset for a time zone',
      changed((draft) => Object.assign(draft, { time_zone: '+06:00' })),
      '/content/time_zone',
    ],
    ['has a bin that ends before it starts', bins({ from: 5, to: 4, points: 1 }), '/content/scorecard/0/bins/0/to'],
    [
      'has overlapping bins',
      bins({ to: 10, points: 1 }, { from: '9.99999999', points: 2 }),
      '/content/scorecard/0/bins/1',
    ],
    ['has no band', bands(), '/content/bands'],
    ['has no band for low scores', bands(refuses('a', { from: 0 })), '/content/bands/0/from'],
    ['has no band for high scores', bands(refuses('a', { to: 0 })), '/content/bands/0/to'],
    ['has a score in no band', bands(refuses('a', { to: 5 }), refuses('b', { from: 6 })), '/content/bands/1/from'],
    ['has a score in two bands', bands(refuses('a', { to: 6 }), refuses('b', { from: 5 })), '/content/bands/1'],
    [
      'has a band without an integer score',
      bands(refuses('a', { from: '0.2', to: '0.8' }), refuses('b')),
      '/content/bands/0/to',
    ],
    ['has two bands for every score', bands(refuses('a'), refuses('b')), '/content/bands/1'],
  ])('that %s is refused', (_, stated, field) => {
    const refusal = refused(checkPolicy(JSON.parse(JSON.stringify(stated))));
    expect([refusal.code, refusal.details?.field]).toEqual(['invalid_policy', field]);
  });

  test('with several faults is refused with all of them, and each place once', () => {
    const faulty = changed((draft) => {
      const knockouts = draft['knockouts'] as Draft[];
      delete knockouts[0]?.['text'];
      Object.assign(knockouts[1] as Draft, { bound: 'much', colour: 'red' });
      Object.assign(draft, { bands: 'none', base_points: 1.5 });
    });
    const { details } = refused(checkPolicy(JSON.parse(JSON.stringify(faulty))));
    const fields = details?.fields as readonly { readonly field: string; readonly code: string }[];
    expect(fields.map(({ field, code }) => `${code} ${field}`)).toEqual([
      'invalid_policy /content/knockouts/0/text',
      'invalid_policy /content/knockouts/1/colour',
      'invalid_policy /content/knockouts/1/bound',
      'invalid_policy /content/base_points',
      'invalid_policy /content/bands',
    ]);
    expect(details).toMatchObject({ field: '/content/knockouts/0/text', bound: 'required' });
  });

  test('may list its bands and bins in any order', () => {
    const reversed = changed((draft) => {
      (draft['bands'] as unknown[]).reverse();
      (draft['scorecard'] as { bins: unknown[] }[])[0]?.bins.reverse();
    });
    expect(admitted(checkPolicy(reversed)).findings.map(({ code }) => code)).toContain('bins_not_in_order');
  });

  test('is parsed again after drafting, and a fault then is an error', () => {
    expect(readCheckedPolicy(policyContent)).toEqual(admitted(checkPolicy(policyContent)).policy);
    expect(() => readCheckedPolicy({})).toThrow('fault at /content/attributes');
  });
});

describe('bands', () => {
  const end = fc.option(fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom('-2.5', '0.00000001', '3.75')), {
    nil: undefined,
  });
  const anyBands = fc.array(fc.record({ from: end, to: end }), { maxLength: 4 });
  // Half of the cases divide one range into bands, so that enough policies are accepted.
  const cutBands = fc
    .tuple(fc.uniqueArray(fc.integer({ min: -6, max: 6 }), { maxLength: 4 }), fc.integer())
    .map(([cuts, turn]) => {
      const ordered = cuts.sort((a, b) => a - b);
      const ranges = [undefined, ...ordered].map((from, index) => ({ from, to: ordered[index] }));
      return [...ranges.slice(turn % ranges.length), ...ranges.slice(0, turn % ranges.length)];
    });

  test('must contain every score exactly once and a score each', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof(anyBands, cutBands), (ranges) => {
        const stated = bands(...ranges.map((range, index) => refuses(`band-${index}`, range)));
        const checked = checkPolicy(JSON.parse(JSON.stringify(stated)));
        const read = ranges.map(({ from, to }) => ({
          ...(from === undefined ? {} : { from: parseDecimal(from) ?? decimalOf(0) }),
          ...(to === undefined ? {} : { to: parseDecimal(to) ?? decimalOf(0) }),
        }));
        const scores = Array.from({ length: 41 }, (_, index) => decimalOf(index - 20));
        const once = scores.every((score) => read.filter((range) => contains(range, score)).length === 1);
        const everyRangeHasScore = read.every((range) => scores.some((score) => contains(range, score)));
        expect(isRefusal(checked)).toBe(!(once && everyRangeHasScore));
        seen[isRefusal(checked) ? 'refused' : 'accepted'] += 1;
      }),
      { numRuns: 500 },
    );
    expect(seen.accepted).toBeGreaterThan(50);
    expect(seen.refused).toBeGreaterThan(50);
  });
});

describe('bins', () => {
  const end = fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined });

  test('must contain every number at most once', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(fc.record({ from: end, to: end }), { maxLength: 3 }), (ranges) => {
        const stated = bins(...ranges.map((range) => ({ ...range, points: 1 })));
        const checked = checkPolicy(JSON.parse(JSON.stringify(stated)));
        const holding = (number: number) =>
          ranges.filter(({ from = -99, to = 99 }) => from <= number && number < to).length;
        const numbers = Array.from({ length: 41 }, (_, index) => index / 2 - 10);
        const eachHasOne = ranges.every(({ from = -99, to = 99 }) => from < to);
        expect(isRefusal(checked)).toBe(!(eachHasOne && numbers.every((number) => holding(number) <= 1)));
        const gap = numbers.some((number) => holding(number) === 0);
        const finding = { code: 'bins_leave_gap', field: '/content/scorecard/0/bins' };
        if (!isRefusal(checked))
          expect(checked.findings.some((reported) => isDeepStrictEqual(reported, finding))).toBe(gap);
        seen[isRefusal(checked) ? 'refused' : 'accepted'] += 1;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(50);
  });

  // A quadratic comparison would take minutes and delay the other books of the batch.
  test('are checked fast even for the largest possible body', () => {
    const many = 20_000;
    const all = Array.from({ length: many }, (_, at) => ({
      ...(at === 0 ? {} : { from: at }),
      ...(at === many - 1 ? {} : { to: `${at + 1}.0` }),
      points: 1,
    }));
    const gap = { code: 'bins_leave_gap', field: '/content/scorecard/0/bins' };
    for (const stated of [all, all.toReversed()]) {
      expect(admitted(checkPolicy(bins(...stated))).findings).not.toContainEqual(gap);
    }
    expect(admitted(checkPolicy(bins(...all.toSpliced(many / 2, 1)))).findings).toContainEqual(gap);
  });
});

describe('the rate of a band', () => {
  const thirds = { numerator: 2, denominator: 3, quotation: 'nominal_annual' };

  test('of an approving band must have an exact decimal', () => {
    const { policy } = admitted(checkPolicy(within('bands', 3, { rate: thirds })));
    expect(refuseRateWithoutDecimal(policy)).toMatchObject({
      code: 'rate_without_decimal',
      details: { field: '/content/bands/3/rate', observed: '2/3' },
    });
    expect(refuseRateWithoutDecimal(admitted(checkPolicy(policyContent)).policy)).toBeUndefined();
  });

  test('of another band may be any fraction', () => {
    expect(
      refuseRateWithoutDecimal(admitted(checkPolicy(within('bands', 1, { rate: thirds }))).policy),
    ).toBeUndefined();
  });
});

describe('a finding', () => {
  test.each<[string, unknown, string]>([
    [
      'an attribute that no rule uses',
      changed((draft) => (draft['attributes'] as Draft[]).push({ name: 'shoe_size' })),
      'attribute_unused /content/attributes/5',
    ],
    [
      'a moratorium on an outcome that does not bar',
      within('bands', 1, { moratorium_days: 10 }),
      'moratorium_bars_nothing /content/bands/1/moratorium_days',
    ],
    [
      'a moratorium on a knockout that refers',
      within('knockouts', 2, { moratorium_days: 10 }),
      'moratorium_bars_nothing /content/knockouts/2/moratorium_days',
    ],
    [
      'an offer on a band that does not approve',
      within('bands', 1, { terms: [6] }),
      'offer_without_approval /content/bands/1',
    ],
    [
      'a band above every score',
      changed((draft) => Object.assign(draft, { base_points: 349 })),
      'band_out_of_reach /content/bands/3',
    ],
    [
      'a band below every score',
      changed((draft) => Object.assign(draft, { base_points: 500 })),
      'band_out_of_reach /content/bands/0',
    ],
  ])('reports %s', (_, stated, finding) => {
    const { findings } = admitted(checkPolicy(stated));
    expect(findings.map(({ code, field }) => `${code} ${field}`)).toContain(finding);
  });

  test('does not report a band that the highest or lowest possible score reaches', () => {
    const codes = (basePoints: number) =>
      admitted(checkPolicy(changed((draft) => Object.assign(draft, { base_points: basePoints })))).findings.map(
        ({ code }) => code,
      );
    // The scorecard adds at most 120 + 80 and at least -100 - 20 points.
    expect(codes(350)).not.toContain('band_out_of_reach');
    expect(codes(499)).not.toContain('band_out_of_reach');
  });
});
