/** Amounts of money as whole minor units. A number with decimals is refused, because it cannot hold every amount exactly. */
import { describeType } from './client-options.ts';
import type { Money } from './contract/shapes.ts';

/** `toMoney('103.56', 'MXN')`. `digits` is the number of decimals of the currency: 0 for the yen. */
export function toMoney(amount: string | bigint, currency: string, digits = 2): Money {
  if (typeof amount !== 'string' && typeof amount !== 'bigint')
    throw new TypeError(`the amount is ${describeType(amount)}; expected a text such as '103.56', or a bigint`);
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  if (sign === undefined) throw new RangeError(`the amount ${JSON.stringify(amount)} is no decimal number`);
  if (/[1-9]/.test(decimals.slice(digits)))
    throw new RangeError(`the amount ${amount} has more than ${digits} decimals; expected whole minor units`);
  // 0 is added for an amount of -0.
  const minorUnits = Number(`${sign}${whole}${decimals.slice(0, digits).padEnd(digits, '0')}`) + 0;
  if (!Number.isSafeInteger(minorUnits))
    throw new RangeError(`the amount ${amount} is larger than any that is admitted`);
  return { minor_units: minorUnits, currency };
}

/** The amount in units of the currency, as a text: '103.56' for 10,356 centavos. */
export function toDecimal({ minor_units: minorUnits }: Money, digits = 2): string {
  const units = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const [whole, decimals] = [units.slice(0, units.length - digits), units.slice(units.length - digits)];
  return `${minorUnits < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${decimals}`}`;
}
