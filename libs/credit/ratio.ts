import { formatRate, parseRate, RATE_SCALE, type Rate } from '#libs/money/rate.ts';

/** The fraction of one a year that a rate is. */
export type Ratio = { readonly numerator: number; readonly denominator: number; readonly quotation: 'nominal_annual' };

/** Beside it its decimal in per cent. Only a draft on trial may lack one: publication and resolution refuse it. */
export type QuotedRate = Ratio & { readonly percent?: string };

export const decimalRateForm = 'a rate with a decimal of at most 8 places as a percentage';

/** The rate where it has a decimal of at most eight places as a percentage, else undefined. */
export function rateOfRatio({ numerator, denominator }: Ratio): Rate | undefined {
  const scaled = BigInt(numerator) * RATE_SCALE;
  return scaled % BigInt(denominator) === 0n ? ((scaled / BigInt(denominator)) as Rate) : undefined;
}

/** A rate in per cent as the fraction it is, in lowest terms; undefined where it is none, or nothing. */
export function ratioOfPercent(stated: string): Ratio | undefined {
  const rate = parseRate(stated);
  if (rate === undefined || rate === 0n) return undefined;
  const shared = commonDivisor(rate, RATE_SCALE);
  return {
    numerator: Number(rate / shared),
    denominator: Number(RATE_SCALE / shared),
    quotation: 'nominal_annual',
  };
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : commonDivisor(b, a % b);
}

/** Whether a Loan could state it at all: the rates of a Loan have six digits before the point. */
export function isWithinRates({ numerator, denominator }: Ratio): boolean {
  return BigInt(numerator) * 100n < BigInt(denominator) * 1_000_000n;
}

export function quoted(ratio: Ratio): QuotedRate {
  const rate = rateOfRatio(ratio);
  const { numerator, denominator, quotation } = ratio;
  return { numerator, denominator, quotation, ...(rate === undefined ? {} : { percent: formatRate(rate) }) };
}
