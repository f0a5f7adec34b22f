/** Sign-in with a password, one-time links, sign-out. */
import { type Response, Router } from 'express';
import { findInvited, redeemLink } from '#libs/people/invitations.ts';
import { hashPassword, isAcceptablePassword } from '#libs/people/passwords.ts';
import type { Person } from '#libs/people/persons.ts';
import { isToken } from '#libs/people/secret-tokens.ts';
import { endSession } from '#libs/people/sessions.ts';
import { signIn } from '#libs/people/sign-in.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { formText } from '../form.ts';
import { sendPage } from '../page.ts';
import { clearCookie, setCookie } from '../session-cookie.ts';
import { linkForm, signInForm } from './pages.ts';

export function signInRouter(context: ConsoleContext): Router {
  const { database } = context;
  const router = Router();

  router.get('/', (_request, response) => {
    response.redirect(303, visitOf(response).person === undefined ? '/sign-in' : '/tenancies');
  });

  router.get('/sign-in', (_request, response) => {
    if (visitOf(response).person !== undefined) return response.redirect(303, '/tenancies');
    sendSignIn(response, { email: '', problems: [] });
  });

  router.post('/sign-in', async (request, response) => {
    const { texts, address } = visitOf(response);
    const email = formText(request.body, 'email');
    const password = formText(request.body, 'password');
    const result = await signIn(database, { email, password, address });
    if ('token' in result) return startSession(context, response, result.token);
    const status = result.failure === 'wait' ? 429 : 401;
    sendSignIn(response, { email, problems: [texts.signIn[result.failure]], status });
  });

  router.get('/sign-in/link/:token', async (request, response) => {
    const { token } = request.params;
    const person = isToken(token) ? await findInvited(database, token) : undefined;
    if (person === undefined) return sendErrorPage(response, 404, visitOf(response).texts.signIn.linkUsed);
    sendLink(response, person, []);
  });

  router.post('/sign-in/link/:token', async (request, response) => {
    const { token } = request.params;
    const { texts, address } = visitOf(response);
    const person = isToken(token) ? await findInvited(database, token) : undefined;
    if (person === undefined) return sendErrorPage(response, 404, texts.signIn.linkUsed);
    const password = formText(request.body, 'password');
    const problems = [
      ...(isAcceptablePassword(password) ? [] : [texts.signIn.passwordShort]),
      ...(password === formText(request.body, 'repeated') ? [] : [texts.signIn.passwordsDiffer]),
    ];
    if (problems.length > 0) return sendLink(response, person, problems);
    const passwordHash = await hashPassword(password);
    const origin = { channel: 'console', address } as const;
    const isRedeemed = await redeemLink(database, token, { passwordHash, origin });
    if (!isRedeemed) return sendErrorPage(response, 404, texts.signIn.linkUsed);
    const result = await signIn(database, { email: person.email, password, address });
    if ('token' in result) return startSession(context, response, result.token);
    response.redirect(303, '/sign-in');
  });

  router.post('/sign-out', async (_request, response) => {
    const { person, browserToken } = visitOf(response);
    if (person !== undefined) await endSession(database, browserToken);
    clearCookie(response, context, 'session');
    response.redirect(303, '/sign-in');
  });

  return router;
}

function startSession(context: ConsoleContext, response: Response, token: string): void {
  setCookie(response, context, 'session', token);
  clearCookie(response, context, 'visitor');
  response.redirect(303, '/tenancies');
}

function sendSignIn(
  response: Response,
  { email, problems, status = 200 }: { email: string; problems: readonly string[]; status?: number },
): void {
  const visit = visitOf(response);
  sendPage(response, { status, title: visit.texts.signIn.title, content: signInForm(visit, { email, problems }) });
}

function sendLink(response: Response, person: Person, problems: readonly string[]): void {
  const visit = visitOf(response);
  const status = problems.length === 0 ? 200 : 422;
  sendPage(response, { status, title: visit.texts.signIn.linkTitle, content: linkForm(visit, person, problems) });
}
