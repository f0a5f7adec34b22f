/** Moments in the language of the page. */
import type { Texts } from './texts/en.ts';

/** From microseconds since 1970, in UTC. */
export function formatInstant({ locale }: Texts, microseconds: number): string {
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(locale, form).format(microseconds / 1_000)} UTC`;
}
