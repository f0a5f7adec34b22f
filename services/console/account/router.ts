/** The account of the signed-in person: what the person changes about signing in. */
import { Router } from 'express';
import { changePassword } from '#libs/people/change-password.ts';
import { listPasskeys } from '#libs/people/passkeys.ts';
import { hashPassword } from '#libs/people/passwords.ts';
import { countRecoveryCodes } from '#libs/people/second-factor.ts';
import { listSessions, signOutEverywhere } from '#libs/people/sessions.ts';
import { type ConsoleContext, originOf, personOf, visitOf } from '../console-context.ts';
import { doneNotice, donePath } from '../done-notice.ts';
import { formText } from '../form.ts';
import { sendPage } from '../page.ts';
import { relyingPartyOf } from '../relying-party.ts';
import { clearCookie } from '../session-cookie.ts';
import { newPasswordProblems } from '../sign-in/new-password.ts';
import { addAuthenticatorRoutes } from './authenticator-routes.ts';
import { accountPage, type SendAccount } from './pages.ts';
import { addPasskeyRoutes } from './passkey-routes.ts';
import { presentPasswordProblem } from './present-password.ts';

export function accountRouter(context: ConsoleContext): Router {
  const { database } = context;
  const router = Router();

  const sendAccount: SendAccount = async (request, response, { problems } = {}) => {
    const visit = visitOf(response);
    const person = personOf(response);
    const [sessions, passkeys, recoveryCodes] = await Promise.all([
      listSessions(database, person.id, visit.browserToken),
      listPasskeys(database, person.id),
      countRecoveryCodes(database, person.id),
    ]);
    const hasPasskeys = relyingPartyOf(context, request) !== undefined;
    const words = visit.texts.account;
    const content = accountPage(visit, {
      ...{ person, sessions, passkeys, recoveryCodes, hasPasskeys },
      ...(problems === undefined ? { done: doneNotice(visit, request, words.done) } : { problems }),
    });
    const scripts = hasPasskeys ? ['webauthn.js', 'passkey.js'] : [];
    const status = problems === undefined ? 200 : 422;
    sendPage(response, { status, title: words.title, content, scripts, styles: ['form-cards.css'] });
  };

  router.get('/account', (request, response) => sendAccount(request, response));

  router.post('/account/password', async (request, response) => {
    const { texts, browserToken } = visitOf(response);
    const person = personOf(response);
    const problems = [...newPasswordProblems(texts, request.body, person.email)];
    if (problems.length === 0) {
      const problem = await presentPasswordProblem(context, request, response);
      if (problem !== undefined) problems.push(problem);
    }
    if (problems.length > 0) {
      return sendAccount(request, response, { problems: { section: 'password', texts: problems } });
    }
    const passwordHash = await hashPassword(formText(request.body, 'password'));
    const removePasskeys = formText(request.body, 'remove_passkeys') === 'yes';
    const change = { passwordHash, removePasskeys, presentToken: browserToken, origin: originOf(response) };
    if (await changePassword(database, person, change))
      return response.redirect(303, donePath(visitOf(response), '/account', 'password'));
    await sendAccount(request, response, { problems: { section: 'password', texts: [texts.account.wrongPassword] } });
  });

  // Each request extends the session; this one does nothing else (assets/session-end.js).
  router.post('/account/session', (_request, response) => {
    response.json({ ends_in_ms: visitOf(response).sessionEndsInMs });
  });

  router.post('/account/sign-out-everywhere', async (_request, response) => {
    const person = personOf(response);
    await signOutEverywhere(database, person, { actor: person.email, origin: originOf(response) });
    clearCookie(response, context, 'session');
    clearCookie(response, context, 'earlier');
    response.redirect(303, '/sign-in');
  });

  addAuthenticatorRoutes(router, context, sendAccount);
  addPasskeyRoutes(router, context);
  return router;
}
