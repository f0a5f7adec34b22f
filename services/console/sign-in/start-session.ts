/** The cookies after a person signed in: those of before are worth nothing. */
import type { Response } from 'express';
import type { ConsoleContext } from '../console-context.ts';
import { clearCookie, setCookie } from '../session-cookie.ts';

export function startSession(context: ConsoleContext, response: Response, token: string): void {
  setCookie(response, context, 'session', token);
  clearCookie(response, context, 'visitor');
  clearCookie(response, context, 'pending');
}
