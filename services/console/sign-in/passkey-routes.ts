/** Signing in with a passkey: answered to the script of the form (assets/passkey.js). */
import type { Router } from 'express';
import { passkeyRequestOptions, signInWithPasskey } from '#libs/people/passkeys.ts';
import { browserOf, type ConsoleContext, visitOf } from '../console-context.ts';
import { formText } from '../form.ts';
import { pathAfterSignIn } from '../own-path.ts';
import { parseJson } from '../parse-json.ts';
import { relyingPartyOf } from '../relying-party.ts';
import { pauseText } from './pause.ts';
import { startSession } from './start-session.ts';

export function addPasskeyRoutes(router: Router, context: ConsoleContext): void {
  const { database, challengeKey } = context;

  router.post('/sign-in/passkey/options', async (request, response) => {
    const { texts, browserToken } = visitOf(response);
    const site = relyingPartyOf(context, request);
    if (site === undefined) return void response.status(422).json({ problem: texts.signIn.passkeyFailed });
    response.json(await passkeyRequestOptions({ site, browserToken, challengeKey }));
  });

  router.post('/sign-in/passkey', async (request, response) => {
    const { texts, browserToken } = visitOf(response);
    const site = relyingPartyOf(context, request);
    if (site === undefined) return void response.status(422).json({ problem: texts.signIn.passkeyFailed });
    const answer = { response: parseJson(formText(request.body, 'response')), site, browserToken, challengeKey };
    const result = await signInWithPasskey(database, answer, browserOf(request, response));
    if ('failure' in result) {
      if (result.failure === 'wait') return void response.status(429).json({ problem: pauseText(response, result) });
      return void response.status(401).json({ problem: texts.signIn.passkeyUnknown });
    }
    startSession(context, request, response, result.token);
    response.json({ next: pathAfterSignIn(formText(request.body, 'next')) });
  });
}
