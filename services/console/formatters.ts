/** Formatters of numbers and days. Each is made once: making one takes longer than formatting a page with it. */

/** The languages of the console and the currencies of a lender are few; anything beyond them is not stored. */
const maxStored = 500;

export interface MoneyFormat {
  readonly format: Intl.NumberFormat;
  /** After the decimal point. */
  readonly digits: number;
}

/** Of the currencies that are written with a sign. The others that share it have their code: a book may hold several. */
const withSign: ReadonlySet<string> = new Set(['MXN', 'EUR', 'GBP', 'JPY', 'BRL', 'INR']);

export const moneyFormat = storing((locale: string, currency: string): MoneyFormat => {
  const currencyDisplay = withSign.has(currency) ? 'narrowSymbol' : 'code';
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
  return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 0 };
});

export const dayFormat = storing((locale: string) => momentFormat(locale, { dateStyle: 'medium' }));

export const minuteFormat = storing((locale: string) =>
  momentFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
);

export const secondFormat = storing((locale: string) =>
  momentFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
);

function momentFormat(locale: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' });
}

function storing<Format, Names extends readonly string[]>(
  make: (...names: Names) => Format,
): (...names: Names) => Format {
  const stored = new Map<string, Format>();
  return (...names) => {
    const name = names.join(' ');
    const known = stored.get(name);
    if (known !== undefined) return known;
    const made = make(...names);
    if (stored.size < maxStored) stored.set(name, made);
    return made;
  };
}
