/** Values of a product in words of the page's language. */
import type { FieldName } from '#libs/product/frame-table.ts';
import type { Acceleration, Money, Schedule } from '#libs/sdk/src/contract/shapes.ts';
import { formatMoney } from '../amounts.ts';
import type { Texts } from '../texts/en.ts';
import { fieldKinds } from './field-kinds.ts';

/** A value of the API, of the type that the field has. */
export function valueText(texts: Texts, name: FieldName, value: unknown): string {
  const words = texts.products;
  if (value === undefined) return words.noValue;
  const number = new Intl.NumberFormat(texts.locale);
  switch (fieldKinds[name]) {
    case 'money':
      return formatMoney(texts, value as Money);
    case 'rate':
      return `${value} %`;
    case 'integer':
      return number.format(value as number);
    case 'tenThousandths':
      return `${number.format((value as number) / 100)} %`;
    case 'boolean':
      return value === true ? words.yes : words.no;
    case 'integers':
      return (value as readonly number[]).join(', ');
    case 'order':
      return (value as readonly string[]).map((each) => choiceText(texts, each)).join(' → ');
    case 'schedule':
      return scheduleText(texts, value as Schedule);
    case 'schedules':
      return (value as readonly Schedule[]).map((each) => scheduleText(texts, each)).join('; ');
    case 'acceleration':
      return accelerationText(texts, value as Acceleration);
    case 'choice':
    case 'word':
      return choiceText(texts, String(value));
  }
}

/** A member of an open enumeration, which may be one that these texts do not name. */
export function choiceText({ products }: Texts, member: string): string {
  return (products.choices as Readonly<Record<string, string>>)[member] ?? member;
}

export function scheduleText({ products: words }: Texts, schedule: Schedule): string {
  const { kind, interval_days, day_of_month, first_after_days } = schedule;
  const first = first_after_days === undefined ? '' : `, ${words.firstAfter(first_after_days)}`;
  if (kind === 'anchored_monthly') {
    return `${day_of_month === undefined ? words.monthly : words.monthlyOn(day_of_month)}${first}`;
  }
  return `${words.everyDays(interval_days ?? 0)}${first}`;
}

export function accelerationText(
  { products: words }: Texts,
  { forbidden, missed_periods, notice_days }: Acceleration,
): string {
  return forbidden ? words.accelerationForbidden : words.accelerationAfter(missed_periods, notice_days);
}
