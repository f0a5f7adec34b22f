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
  ])('%s is parsed exactly and formatted as %3$s', (text, rate, formatted) => {
    expect(parseRate(text)).toBe(rate);
    expect(rateOf(text)).toBe(rate);
    expect(formatRate(rate as Rate)).toBe(formatted);
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
  ])('%j is not a rate', (text) => {
    expect(parseRate(text)).toBeUndefined();
    expect(() => rateOf(text)).toThrow(RangeError);
  });

  test('is parsed back as the same rate', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), (rate) => {
        expect(parseRate(formatRate(rate as Rate))).toBe(rate);
      }),
    );
  });

  test('of 100 per cent is RATE_SCALE', () => {
    expect(rateOf('100')).toBe(RATE_SCALE);
  });
});
