/** The second step of signing in: a code of the authenticator app, or a recovery code. */
import type { Response, Router } from 'express';
import { findPendingSignIn } from '#libs/people/pending-sign-ins.ts';
import { isToken } from '#libs/people/secret-tokens.ts';
import { completeSignIn } from '#libs/people/sign-in.ts';
import { browserOf, type ConsoleContext, visitOf } from '../console-context.ts';
import { formText, queryText } from '../form.ts';
import { pathAfterSignIn, withNext } from '../own-path.ts';
import { sendPage } from '../page.ts';
import { clearCookie, readCookie } from '../session-cookie.ts';
import { codeForm } from './pages.ts';
import { pauseText } from './pause.ts';
import { startSession } from './start-session.ts';

export function addSecondFactorRoutes(router: Router, context: ConsoleContext): void {
  const { database } = context;

  router.get('/sign-in/code', async (request, response) => {
    const pendingToken = readCookie(request, context, 'pending');
    const person = isToken(pendingToken) ? await findPendingSignIn(database, pendingToken) : undefined;
    const next = queryText(request, 'next');
    if (person === undefined) return response.redirect(303, withNext('/sign-in', next));
    sendCodeForm(response, { next, problems: [] });
  });

  router.post('/sign-in/code', async (request, response) => {
    const pendingToken = readCookie(request, context, 'pending');
    if (!isToken(pendingToken)) return response.redirect(303, '/sign-in');
    const code = formText(request.body, 'code');
    const next = formText(request.body, 'next');
    const result = await completeSignIn(context, { pendingToken, code }, browserOf(request, response));
    if ('token' in result) {
      startSession(context, request, response, result.token);
      return response.redirect(303, pathAfterSignIn(next));
    }
    if (result.failure === 'expired') {
      clearCookie(response, context, 'pending');
      return response.redirect(303, withNext('/sign-in', next));
    }
    if (result.failure === 'wait')
      return sendCodeForm(response, { next, problems: [pauseText(response, result)] }, 429);
    const { codeUnreadable, codeWrong } = visitOf(response).texts.signIn;
    if (result.failure === 'unreadable') return sendCodeForm(response, { next, problems: [codeUnreadable] }, 500);
    sendCodeForm(response, { next, problems: [codeWrong] }, 401);
  });
}

function sendCodeForm(response: Response, form: Parameters<typeof codeForm>[1], status = 200): void {
  const visit = visitOf(response);
  sendPage(response, { status, title: visit.texts.signIn.codeTitle, content: codeForm(visit, form) });
}
