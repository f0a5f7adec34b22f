/**
 * The cookies: one of a signed-in person, one for forms before sign-in, one of a sign-in that needs a second factor, one of the
 * session before, whose open forms can still be sent. A browser does not send them from other sites, so the first two are
 * separate: the first visit by a link from elsewhere must not replace a session.
 */
import { parseCookie } from 'cookie';
import type { Request, RequestHandler, Response } from 'express';
import { isToken, newToken } from '#libs/people/secret-tokens.ts';
import { findSession } from '#libs/people/sessions.ts';
import { statedClocks } from './clocks.ts';
import type { ConsoleContext, Visit } from './console-context.ts';
import { visitOf } from './console-context.ts';
import { textsFor } from './languages.ts';
import { withNext } from './own-path.ts';

type CookieName = 'session' | 'visitor' | 'language' | 'pending' | 'earlier';

/** With the prefix a browser accepts the cookie from this host only, and by HTTPS only. */
function nameOf(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}lending_${name}`;
}

export function setCookie(response: Response, { isSecure }: ConsoleContext, name: CookieName, value: string): void {
  const options = { httpOnly: true, sameSite: 'strict', secure: isSecure, path: '/' } as const;
  response.cookie(nameOf(name, isSecure), value, options);
}

export function clearCookie(response: Response, { isSecure }: ConsoleContext, name: CookieName): void {
  response.clearCookie(nameOf(name, isSecure), { httpOnly: true, sameSite: 'strict', secure: isSecure, path: '/' });
}

export function readCookie(
  request: Request<object>,
  { isSecure }: ConsoleContext,
  name: CookieName,
): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[nameOf(name, isSecure)];
}

/** Finds the person of the session, and the language; gives a browser without a session a token for its forms. */
export function identifyBrowser(context: ConsoleContext): RequestHandler {
  return async (request, response, next) => {
    const sessionToken = readCookie(request, context, 'session');
    const visitorToken = readCookie(request, context, 'visitor');
    const language = readCookie(request, context, 'language');
    const anonymous: Visit = {
      assets: context.assets,
      texts: textsFor(request, language),
      browserToken: isToken(visitorToken) ? visitorToken : newToken(),
      path: request.path,
      target: targetOf(request),
      clocks: statedClocks(request),
      address: request.ip ?? 'unknown',
    };
    // For the page that is sent where the session cannot be read.
    response.locals['visit'] = anonymous;
    const session = isToken(sessionToken) ? await findSession(context.database, sessionToken) : undefined;
    if (isToken(sessionToken) && session !== undefined) {
      const { person, endsInMs } = session;
      const texts = textsFor(request, person.language ?? language);
      const visit: Visit = { ...anonymous, texts, browserToken: sessionToken, person, sessionEndsInMs: endsInMs };
      response.locals['visit'] = visit;
    } else if (!isToken(visitorToken)) {
      setCookie(response, context, 'visitor', anonymous.browserToken);
    }
    next();
  };
}

/** The page that is shown. An answer to a form has an address that may be no page: that of the form counts. */
function targetOf(request: Request): string {
  if (request.method === 'GET') return request.originalUrl;
  const referrer = request.get('Referer') ?? '';
  if (!URL.canParse(referrer)) return request.path;
  const { pathname, search } = new URL(referrer);
  return pathname + search;
}

export const requirePerson: RequestHandler = (request, response, next) => {
  if (visitOf(response).person !== undefined) return next();
  const isNavigation = request.method === 'GET';
  if (isNavigation && request.get('Sec-Fetch-Site') === 'cross-site') {
    // A link from another site: loaded again from here, the request carries the session.
    response.type('html').send('<!doctype html><title>…</title><meta http-equiv="refresh" content="0">');
    return;
  }
  response.redirect(303, isNavigation ? withNext('/sign-in', request.originalUrl) : '/sign-in');
};
