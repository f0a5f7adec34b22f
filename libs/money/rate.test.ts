import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatRate, parseRate, RATE_SCALE, type Rate, rateOf } from '#libs/money/rate.ts';

describe('a rate', () => {
  test.each([
    ['0', 0n, '0'],
    ['36', 3_600_000_000n, '36'],
    ['36.00', 3_600_000_000n, '36'],
    ['0.00000001', 1n, '0.00000001'],
    ['16.5', 1_650_000_000n, '16.5'],
    ['10.05', 1_005_000_000n, '10.05'],
    ['999999.99999999', 99_999_999_999_999n, '999999.99999999'],
  ])('stated as %s is exact, and reads %3$s', (text, rate, shown) => {
    expect(parseRate(text)).toBe(rate);
    expect(rateOf(text)).toBe(rate);
    expect(formatRate(rate as Rate)).toBe(shown);
  });

  test.each([
    '',
    '.5',
    '5.',
    '05',
    '00',
    '+1',
    '-1',
    '1e2',
    '1,5',
    ' 1',
    '1 ',
    '1\n',
    '1.123456789',
    '1000000',
    'x',
    '٣',
  ])('stated as %j is none', (text) => {
    expect(parseRate(text)).toBeUndefined();
    expect(() => rateOf(text)).toThrow(RangeError);
  });

  test('is read back as the same rate', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), (rate) => {
        expect(parseRate(formatRate(rate as Rate))).toBe(rate);
      }),
    );
  });

  test('of one hundred per cent is the whole', () => {
    expect(rateOf('100')).toBe(RATE_SCALE);
  });
});
