/** Adds and removes passkeys of the signed-in person. Adding is answered to the script of the form (assets/passkey.js). */
import type { Response, Router } from 'express';
import {
  addPasskey,
  listPasskeys,
  type Passkey,
  passkeyCreationOptions,
  removePasskey,
} from '#libs/people/passkeys.ts';
import { type ConsoleContext, originOf, personOf, visitOf } from '../console-context.ts';
import { donePath } from '../done-notice.ts';
import { formText, queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import { parseJson } from '../parse-json.ts';
import { relyingPartyOf } from '../relying-party.ts';
import { passkeyRemoval } from './pages.ts';
import { presentPasswordProblem } from './present-password.ts';

const maxNameCharacters = 60;

export function addPasskeyRoutes(router: Router, context: ConsoleContext): void {
  const { database, challengeKey } = context;

  const refuse = (response: Response, problem: string): void => {
    response.status(422).json({ problem });
  };

  router.post('/account/passkeys/options', async (request, response) => {
    const { texts, browserToken } = visitOf(response);
    const person = personOf(response);
    const site = relyingPartyOf(context, request);
    if (site === undefined) return refuse(response, texts.account.passkeysElsewhere);
    if (nameIn(request.body) === undefined) return refuse(response, texts.account.nameWrong);
    const problem = await presentPasswordProblem(context, request, response);
    if (problem !== undefined) return refuse(response, problem);
    const dialog = { site, siteName: texts.console, browserToken, challengeKey };
    response.json(await passkeyCreationOptions(database, person, dialog));
  });

  router.post('/account/passkeys', async (request, response) => {
    const { texts, browserToken } = visitOf(response);
    const site = relyingPartyOf(context, request);
    const name = nameIn(request.body);
    if (site === undefined || name === undefined) return refuse(response, texts.account.nameWrong);
    const dialog = { site, browserToken, challengeKey };
    const answer = { response: parseJson(formText(request.body, 'response')), name, origin: originOf(response) };
    const isAdded = await addPasskey(database, personOf(response), { ...dialog, ...answer });
    if (isAdded) response.status(201).json({ next: donePath(visitOf(response), '/account', 'passkey') });
    else refuse(response, texts.account.passkeyFailed);
  });

  const findOwn = async (response: Response, id: string): Promise<Passkey | undefined> =>
    (await listPasskeys(database, personOf(response).id)).find((passkey) => passkey.id === id);

  const sendRemoval = (response: Response, passkey: Passkey, problems: readonly string[]): void => {
    const visit = visitOf(response);
    const status = problems.length === 0 ? 200 : 422;
    const content = passkeyRemoval(visit, passkey, problems);
    sendPage(response, { status, title: visit.texts.account.removeTitle, content, styles: ['form-cards.css'] });
  };

  router.get('/account/passkeys/removal', async (request, response) => {
    const passkey = await findOwn(response, queryText(request, 'id'));
    if (passkey === undefined) response.redirect(303, '/account');
    else sendRemoval(response, passkey, []);
  });

  router.post('/account/passkeys/removal', async (request, response) => {
    const id = formText(request.body, 'id');
    const passkey = await findOwn(response, id);
    if (passkey === undefined) return response.redirect(303, '/account');
    const problem = await presentPasswordProblem(context, request, response);
    if (problem !== undefined) return sendRemoval(response, passkey, [problem]);
    const isRemoved = await removePasskey(database, personOf(response), { id, origin: originOf(response) });
    response.redirect(303, isRemoved ? donePath(visitOf(response), '/account', 'removed') : '/account');
  });
}

function nameIn(body: unknown): string | undefined {
  const name = formText(body, 'name').trim();
  return name !== '' && name.length <= maxNameCharacters ? name : undefined;
}
