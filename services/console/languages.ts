/** The languages of the console, and which one a request is answered in. */
import type { Request } from 'express';
import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';

export const languages = { en, es } as const satisfies Record<string, Texts>;
export type Language = keyof typeof languages;

export function isLanguage(text: unknown): text is Language {
  return typeof text === 'string' && Object.hasOwn(languages, text);
}

/** The person's choice, else what the browser prefers. */
export function textsFor(request: Request, choice: string | null | undefined): Texts {
  if (isLanguage(choice)) return languages[choice];
  const preferred = request.acceptsLanguages(...Object.keys(languages));
  return isLanguage(preferred) ? languages[preferred] : en;
}
