/** Refuses control characters other than tabs and line ends in addresses and forms: no text has them, and Postgres stores no NUL. */
import type { RequestHandler } from 'express';
import { visitOf } from './console-context.ts';
import { sendErrorPage } from './error-page.ts';

const inText = /[^\P{Cc}\t\r\n]/u;
const inAddress = /%(0[0-8bcef]|1[0-9a-f]|7f)/i;

export const refuseControlCharacters: RequestHandler = (request, response, next) => {
  const form = Object.entries((request.body ?? {}) as Readonly<Record<string, unknown>>).flat(2);
  const isRefused = inAddress.test(request.url) || form.some((text) => typeof text === 'string' && inText.test(text));
  if (!isRefused) return next();
  sendErrorPage(response, 400, visitOf(response).texts.errors.controlCharacter);
};
