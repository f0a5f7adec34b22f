/** Turns the second factor on and off, and renews recovery codes. Each asks for the present password. */
import type { Response, Router } from 'express';
import { disableSecondFactor, enableSecondFactor, renewRecoveryCodes } from '#libs/people/second-factor.ts';
import { isTotpSecret, newTotpSecret } from '#libs/people/totp.ts';
import { type ConsoleContext, originOf, personOf, visitOf } from '../console-context.ts';
import { donePath } from '../done-notice.ts';
import { formText } from '../form.ts';
import { sendPage } from '../page.ts';
import { authenticatorSetup, recoveryCodeList } from './authenticator-pages.ts';
import type { SendAccount } from './pages.ts';
import { presentPasswordProblem } from './present-password.ts';

export function addAuthenticatorRoutes(router: Router, context: ConsoleContext, sendAccount: SendAccount): void {
  const { database } = context;
  const sendSetup = (response: Response, secret: string, problems: readonly string[]): void => {
    const visit = visitOf(response);
    const content = authenticatorSetup(visit, { secret, email: personOf(response).email, problems });
    const status = problems.length === 0 ? 200 : 422;
    sendPage(response, { status, title: visit.texts.account.setUpTitle, content, styles: ['form-cards.css'] });
  };

  const sendCodes = (response: Response, codes: readonly string[]): void => {
    const visit = visitOf(response);
    const content = recoveryCodeList(visit, codes);
    sendPage(response, { title: visit.texts.account.recoveryTitle, content, styles: ['form-cards.css'] });
  };

  router.get('/account/authenticator', (_request, response) => sendSetup(response, newTotpSecret(), []));

  router.post('/account/authenticator', async (request, response) => {
    const secret = formText(request.body, 'secret');
    if (!isTotpSecret(secret)) return response.redirect(303, '/account/authenticator');
    const problem = await presentPasswordProblem(context, request, response);
    if (problem !== undefined) return sendSetup(response, secret, [problem]);
    const code = formText(request.body, 'code').replace(/\s/g, '');
    const proof = { secret, code, origin: originOf(response) };
    const codes = await enableSecondFactor(context, personOf(response), proof);
    if (codes === undefined) return sendSetup(response, secret, [visitOf(response).texts.account.codeWrong]);
    sendCodes(response, codes);
  });

  router.post('/account/authenticator/removal', async (request, response) => {
    const problem = await presentPasswordProblem(context, request, response);
    if (problem !== undefined) {
      return sendAccount(request, response, { problems: { section: 'app', texts: [problem] } });
    }
    await disableSecondFactor(database, personOf(response), originOf(response));
    response.redirect(303, donePath(visitOf(response), '/account', 'off'));
  });

  router.post('/account/recovery-codes', async (request, response) => {
    const problem = await presentPasswordProblem(context, request, response);
    if (problem !== undefined) {
      return sendAccount(request, response, { problems: { section: 'app', texts: [problem] } });
    }
    // Without an app there is nothing that they could replace.
    if (personOf(response).totpSecret === null) return response.redirect(303, '/account');
    sendCodes(response, await renewRecoveryCodes(database, personOf(response), originOf(response)));
  });
}
