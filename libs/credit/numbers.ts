/** Numbers as policies and applications state them: exact decimals, rates as fractions of one a year, and money. */

import Big from 'big.js';
import type { Minor } from '#libs/money/minor.ts';
import { formatRate, parseRate, RATE_SCALE, type Rate } from '#libs/money/rate.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { type MoneyJson, object, required } from '#libs/schema/objects.ts';
import { decimalPattern, integer, oneOf } from '#libs/schema/scalars.ts';
import type { Infer } from '#libs/schema/schema.ts';

export type Decimal = Big;

/** As the caller wrote it: an integer, or a decimal string of at most eight places. It is echoed in this form. */
export type StatedNumber = number | string;

// In strict mode `<` between two decimals throws. Without it, their texts would be compared.
const StrictBig = Big();
StrictBig.strict = true;
const zero = new StrictBig(0n);

export const decimalForm = 'an integer, or a decimal string of at most 8 places';

export function parseDecimal(stated: unknown): Decimal | undefined {
  if (typeof stated === 'number') return Number.isSafeInteger(stated) ? decimalOf(stated) : undefined;
  return typeof stated === 'string' && decimalPattern.test(stated) ? new StrictBig(stated) : undefined;
}

export function decimalOf(integer: number): Decimal {
  return new StrictBig(BigInt(integer));
}

/** The smallest integer that is not below the value. */
export function ceiling(value: Decimal): Decimal {
  return value.round(0, value.gt(zero) ? Big.roundUp : Big.roundDown);
}

/** A yearly rate as a fraction of one. */
export const rateFraction = object({
  numerator: required(integer(1)),
  denominator: required(integer(1)),
  quotation: required(oneOf(enumerations.quotation)),
});
export type RateFraction = Infer<typeof rateFraction>;

/** `percent` is missing where the fraction has no exact decimal. Only a draft on trial may have such a rate. */
export type QuotedRate = RateFraction & { readonly percent?: string };

export const decimalRateForm = 'a rate with a decimal of at most 8 places as a percentage';

/** Undefined where the fraction is no percentage of at most eight decimal places. */
export function rateOfFraction({ numerator, denominator }: RateFraction): Rate | undefined {
  const scaled = BigInt(numerator) * RATE_SCALE;
  return scaled % BigInt(denominator) === 0n ? ((scaled / BigInt(denominator)) as Rate) : undefined;
}

/** A rate in per cent as a fraction in lowest terms. Undefined where the text is no rate, or zero. */
export function fractionOfPercent(percent: string): RateFraction | undefined {
  const rate = parseRate(percent);
  if (rate === undefined || rate === 0n) return undefined;
  const divisor = greatestCommonDivisor(rate, RATE_SCALE);
  return {
    numerator: Number(rate / divisor),
    denominator: Number(RATE_SCALE / divisor),
    quotation: 'nominal_annual',
  };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

/** Whether a Loan could state the rate: the rates of Loans have six digits before the decimal point. */
export function isStatableRate({ numerator, denominator }: RateFraction): boolean {
  return BigInt(numerator) * 100n < BigInt(denominator) * 1_000_000n;
}

export function quotedRate(fraction: RateFraction): QuotedRate {
  const rate = rateOfFraction(fraction);
  const { numerator, denominator, quotation } = fraction;
  return { numerator, denominator, quotation, ...(rate === undefined ? {} : { percent: formatRate(rate) }) };
}

export function minorOf(money: MoneyJson): Minor {
  return BigInt(money.minor_units) as Minor;
}

export function moneyJson(amount: bigint, currency: string): MoneyJson {
  return { minor_units: Number(amount), currency };
}
