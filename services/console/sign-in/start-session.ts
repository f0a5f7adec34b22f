/** The cookies after a person signed in: those of before are worth nothing, but for forms that were open when a session expired. */
import type { Request, Response } from 'express';
import { isToken } from '#libs/people/secret-tokens.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { clearCookie, readCookie, setCookie } from '../session-cookie.ts';

export function startSession(
  context: ConsoleContext,
  request: Request<object>,
  response: Response,
  token: string,
): void {
  const expired = visitOf(response).person === undefined ? readCookie(request, context, 'session') : undefined;
  if (isToken(expired)) setCookie(response, context, 'earlier', expired);
  setCookie(response, context, 'session', token);
  clearCookie(response, context, 'visitor');
  clearCookie(response, context, 'pending');
}
