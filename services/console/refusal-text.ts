/** A refusal of the API as a sentence of the page. */
import type { Schedule } from '#libs/sdk/src/contract/shapes.ts';
import { formatDay, formatMoney } from './amounts.ts';
import { isMoney } from './as-sent.ts';
import { scheduleText } from './products/value-text.ts';
import { wordFor } from './terms.ts';
import type { Texts } from './texts/en.ts';

interface ShownRefusal {
  readonly code: string;
  readonly details?: { readonly field?: unknown; readonly bound?: unknown } | undefined;
}

/** The sentence, what is accepted and the field where they are known, and the code, by which the documentation names it. */
export function refusalText(texts: Texts, { code, details }: ShownRefusal): string {
  const { refusals, errors } = texts;
  const bound = details?.bound ?? undefined;
  const accepted = bound === undefined ? [] : [errors.accepted(boundText(texts, bound))];
  const field = typeof details?.field === 'string' ? [details.field] : [];
  return [refusals[code] ?? errors.refused, ...accepted, `(${[code, ...field].join(' · ')})`].join(' ');
}

/** Of a form that a later contract may add, the values alone. */
function boundText(texts: Texts, bound: unknown): string {
  if (Array.isArray(bound)) return listText(bound.map((each) => boundText(texts, each)));
  if (typeof bound === 'number') return new Intl.NumberFormat(texts.locale).format(bound);
  if (typeof bound === 'string') return valueText(texts, bound);
  if (isMoney(bound)) return formatMoney(texts, bound);
  if (isSchedule(bound)) return scheduleText(texts, bound);
  return typeof bound === 'object' && bound !== null ? boundText(texts, Object.values(bound)) : String(bound);
}

/** Days and schedules have commas of their own. */
function listText(values: readonly string[]): string {
  return values.join(values.some((value) => value.includes(',')) ? '; ' : ', ');
}

function valueText(texts: Texts, value: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(texts, value);
  return wordFor({ ...texts.explorer.states, ...texts.explorer.charges }, value);
}

function isSchedule(value: unknown): value is Schedule {
  const { kind } = (value ?? {}) as { readonly kind?: unknown };
  return kind === 'anchored_monthly' || kind === 'anchored_every_n_days';
}
