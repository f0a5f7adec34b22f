/** Refuses changes that do not come from a form of the console itself (CSRF). */
import type { Request, RequestHandler, Response } from 'express';
import { isCsrfToken, isToken } from '#libs/people/secret-tokens.ts';
import { wasSessionOf } from '#libs/people/sessions.ts';
import { type ConsoleContext, visitOf } from './console-context.ts';
import { sendErrorPage } from './error-page.ts';
import { csrfField } from './form-field-names.ts';
import { readCookie } from './session-cookie.ts';
import { sendFormOfEndedSession } from './sign-in/ended-session.ts';

export function checkForms(context: ConsoleContext): RequestHandler {
  // A proxy may send another Host than the one that people open.
  const publicHost = context.url === undefined ? undefined : new URL(context.url).host;
  return async (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const isFromHere =
      request.method === 'POST' &&
      isSameOrigin(request.get('Sec-Fetch-Site'), request.get('Origin'), [request.get('Host'), publicHost]);
    const presented = (request.body as Record<string, unknown> | undefined)?.[csrfField];
    const { browserToken, person, texts } = visitOf(response);
    if (isFromHere && isCsrfToken(browserToken, presented)) return next();
    if (isFromHere && (await isOfEarlierSession(context, request, response))) return next();
    const ended = person === undefined ? readCookie(request, context, 'session') : undefined;
    if (isFromHere && isToken(ended) && isCsrfToken(ended, presented)) return sendFormOfEndedSession(request, response);
    sendErrorPage(response, 403, texts.errors.form);
  };
}

/** A page that was open when the session expired, sent after the same person has signed in again in the same browser. */
async function isOfEarlierSession(context: ConsoleContext, request: Request, response: Response): Promise<boolean> {
  const { person } = visitOf(response);
  const earlier = readCookie(request, context, 'earlier');
  const presented = (request.body as Record<string, unknown> | undefined)?.[csrfField];
  if (person === undefined || !isToken(earlier) || !isCsrfToken(earlier, presented)) return false;
  return wasSessionOf(context.database, earlier, person.id);
}

/** Browsers state where a request comes from; one that states neither is old, and has to present the token all the same. */
function isSameOrigin(
  site: string | undefined,
  origin: string | undefined,
  hosts: readonly (string | undefined)[],
): boolean {
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && hosts.includes(new URL(origin).host);
}
