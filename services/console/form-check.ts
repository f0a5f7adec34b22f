/** Refuses changes that do not come from a form of the console itself (CSRF). */
import type { RequestHandler } from 'express';
import { isCsrfToken } from '#libs/people/secret-tokens.ts';
import { visitOf } from './console-context.ts';
import { sendErrorPage } from './error-page.ts';
import { csrfField } from './form-field-names.ts';

export const checkForms: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  const isOwn =
    request.method === 'POST' &&
    isSameOrigin(request.get('Sec-Fetch-Site'), request.get('Origin'), request.get('Host')) &&
    isCsrfToken(visitOf(response).browserToken, (request.body as Record<string, unknown> | undefined)?.[csrfField]);
  if (isOwn) return next();
  sendErrorPage(response, 403, visitOf(response).texts.errors.form);
};

/** Browsers state where a request comes from; one that states neither is old, and has to present the token all the same. */
function isSameOrigin(site: string | undefined, origin: string | undefined, host: string | undefined): boolean {
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
