/** Sign-in with a password, one-time links, sign-out. */
import { type Request, type Response, Router } from 'express';
import { findInvited } from '#libs/people/invitations.ts';
import { hashPassword } from '#libs/people/passwords.ts';
import type { Person } from '#libs/people/persons.ts';
import { redeemLink } from '#libs/people/redeem-link.ts';
import { isToken } from '#libs/people/secret-tokens.ts';
import { endSession } from '#libs/people/sessions.ts';
import { type SignInResult, signIn } from '#libs/people/sign-in.ts';
import { browserOf, type ConsoleContext, originOf, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { formText, queryText } from '../form.ts';
import { pathAfterSignIn, withNext } from '../own-path.ts';
import { sendPage } from '../page.ts';
import { relyingPartyOf } from '../relying-party.ts';
import { clearCookie, setCookie } from '../session-cookie.ts';
import { newPasswordProblems } from './new-password.ts';
import { linkForm, signInForm } from './pages.ts';
import { addPasskeyRoutes } from './passkey-routes.ts';
import { pauseText } from './pause.ts';
import { addSecondFactorRoutes } from './second-factor-routes.ts';
import { startSession } from './start-session.ts';

export function signInRouter(context: ConsoleContext): Router {
  const { database } = context;
  const router = Router();

  router.get('/', (_request, response) => {
    response.redirect(303, visitOf(response).person === undefined ? '/sign-in' : '/tenancies');
  });

  const sendSignIn = (
    request: Request,
    response: Response,
    form: { readonly email: string; readonly next: string; readonly problems: readonly string[] },
    status = 200,
  ): void => {
    const visit = visitOf(response);
    const hasPasskeys = relyingPartyOf(context, request) !== undefined;
    const content = signInForm(visit, { ...form, hasPasskeys });
    const scripts = hasPasskeys ? ['webauthn.js', 'passkey.js'] : [];
    sendPage(response, { status, title: visit.texts.signIn.title, content, scripts });
  };

  router.get('/sign-in', (request, response) => {
    const next = queryText(request, 'next');
    if (visitOf(response).person !== undefined) return response.redirect(303, pathAfterSignIn(next));
    sendSignIn(request, response, { email: '', next, problems: [] });
  });

  const proceed = (
    request: Request<object>,
    response: Response,
    result: Exclude<SignInResult, { failure: unknown }>,
  ): void => {
    const next = formText(request.body, 'next');
    if ('token' in result) {
      startSession(context, request, response, result.token);
      response.redirect(303, pathAfterSignIn(next));
    } else {
      setCookie(response, context, 'pending', result.pendingToken);
      response.redirect(303, withNext('/sign-in/code', next));
    }
  };

  router.post('/sign-in', async (request, response) => {
    const email = formText(request.body, 'email');
    const password = formText(request.body, 'password');
    const result = await signIn(context, { email, password }, browserOf(request, response));
    if (!('failure' in result)) return proceed(request, response, result);
    const isPause = result.failure === 'wait';
    const problems = [isPause ? pauseText(response, result) : visitOf(response).texts.signIn.wrong];
    const form = { email, next: formText(request.body, 'next'), problems };
    sendSignIn(request, response, form, isPause ? 429 : 401);
  });

  router.get('/sign-in/link/:token', async (request, response) => {
    const { token } = request.params;
    const person = isToken(token) ? await findInvited(database, token) : undefined;
    if (person === undefined) return sendErrorPage(response, 404, visitOf(response).texts.signIn.linkUsed);
    sendLink(response, person, []);
  });

  router.post('/sign-in/link/:token', async (request, response) => {
    const { token } = request.params;
    const { texts } = visitOf(response);
    const person = isToken(token) ? await findInvited(database, token) : undefined;
    if (person === undefined) return sendErrorPage(response, 404, texts.signIn.linkUsed);
    const password = formText(request.body, 'password');
    const problems = newPasswordProblems(texts, request.body, person.email);
    if (problems.length > 0) return sendLink(response, person, problems);
    const passwordHash = await hashPassword(password);
    const redemption = await redeemLink(database, token, { passwordHash, origin: originOf(response) });
    if (redemption === 'used') return sendErrorPage(response, 404, texts.signIn.linkUsed);
    if (redemption === 'has password') return sendLink(response, person, [texts.signIn.linkHasPassword]);
    const result = await signIn(context, { email: person.email, password }, browserOf(request, response));
    if ('failure' in result) return response.redirect(303, '/sign-in');
    proceed(request, response, result);
  });

  router.post('/sign-out', async (_request, response) => {
    const { person, browserToken } = visitOf(response);
    if (person !== undefined) await endSession(database, person, { token: browserToken, origin: originOf(response) });
    clearCookie(response, context, 'session');
    clearCookie(response, context, 'earlier');
    response.redirect(303, '/sign-in');
  });

  addSecondFactorRoutes(router, context);
  addPasskeyRoutes(router, context);
  return router;
}

function sendLink(response: Response, person: Person, problems: readonly string[]): void {
  const visit = visitOf(response);
  const status = problems.length === 0 ? 200 : 422;
  sendPage(response, { status, title: visit.texts.signIn.linkTitle, content: linkForm(visit, person, problems) });
}
