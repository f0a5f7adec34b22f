/** How many decimals a currency has, as ISO 4217 says; undefined for what is no currency of it. */
export function decimalsOf(currency: string | undefined): number | undefined {
  if (currency === undefined || !Intl.supportedValuesOf('currency').includes(currency)) return undefined;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
}

/** `103561` of MXN as a person reads it: `1,035.61`. */
export function inMajorUnits(minorUnits: number, currency: string): string {
  const decimals = decimalsOf(currency) ?? 0;
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=([0-9]{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction}`;
}
