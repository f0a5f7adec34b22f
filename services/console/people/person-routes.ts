/** What operators do to one person. Each act is confirmed on a page of its own, with the operator's present password. */
import type { Request, RequestHandler, Response, Router } from 'express';
import { type Actor, changeAccess, changeOperator, resetSecondFactor } from '#libs/people/administer-people.ts';
import { makeSignInLink } from '#libs/people/invitations.ts';
import { listPasskeys } from '#libs/people/passkeys.ts';
import { findPerson, type Person } from '#libs/people/persons.ts';
import { countSessions, signOutEverywhere } from '#libs/people/sessions.ts';
import { isUuid } from '#libs/schema/identifiers.ts';
import { requireOperator } from '../access.ts';
import { presentPasswordProblem } from '../account/present-password.ts';
import { type ConsoleContext, originOf, personOf, visitOf } from '../console-context.ts';
import { doneNotice, donePath } from '../done-notice.ts';
import { sendErrorPage } from '../error-page.ts';
import { sendPage } from '../page.ts';
import { confirmationPage, type PersonAction, personActions } from './person-actions.ts';
import { personPage } from './person-pages.ts';
import { sendInvitation } from './send-invitation.ts';

type PersonPath = { readonly person: string };

export function addPersonRoutes(router: Router, context: ConsoleContext): void {
  const { database } = context;

  const withPerson =
    (
      handle: (person: Person, request: Request<PersonPath>, response: Response) => Promise<void> | void,
    ): RequestHandler<PersonPath> =>
    async (request, response) => {
      const { person: id } = request.params;
      const person = isUuid(id) ? await findPerson(database, id) : undefined;
      if (person === undefined) sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
      else await handle(person, request, response);
    };

  router.get(
    '/people/:person',
    requireOperator,
    withPerson(async (person, request, response) => {
      const [sessionCount, passkeys] = await Promise.all([
        countSessions(database, person.id),
        listPasskeys(database, person.id),
      ]);
      const visit = visitOf(response);
      const done = doneNotice(visit, request, visit.texts.people.done);
      const content = personPage(visit, { person, sessionCount, passkeyCount: passkeys.length, done });
      sendPage(response, { title: person.email, content, styles: ['form-cards.css'] });
    }),
  );

  const sendConfirmation = (
    response: Response,
    { person, action, problem }: { readonly person: Person; readonly action: PersonAction; readonly problem?: string },
  ): void => {
    const visit = visitOf(response);
    const { button } = visit.texts.people.actions[action];
    const content = confirmationPage(visit, { person, action, problem });
    const status = problem === undefined ? 200 : 422;
    sendPage(response, { status, title: `${button}: ${person.email}`, content, styles: ['form-cards.css'] });
  };

  /** An operator whose session was stolen must not lose the account by it. */
  const ownAccountProblem = (person: Person, response: Response): string | undefined =>
    person.id === personOf(response).id ? visitOf(response).texts.people.ownAccount : undefined;

  const acts: Record<Exclude<PersonAction, 'link'>, (person: Person, actor: Actor) => Promise<unknown>> = {
    operator: ({ id }, actor) => changeOperator(database, { personId: id, isOperator: true }, actor),
    'operator/removal': ({ id }, actor) => changeOperator(database, { personId: id, isOperator: false }, actor),
    disable: ({ id }, actor) => changeAccess(database, { personId: id, isDisabled: true }, actor),
    enable: ({ id }, actor) => changeAccess(database, { personId: id, isDisabled: false }, actor),
    'second-factor/removal': ({ id }, actor) => resetSecondFactor(database, id, actor),
    'sessions/removal': (person, actor) => signOutEverywhere(database, person, actor),
  };

  for (const action of personActions) {
    const path = `/people/:person/${action}` as const;
    const show = withPerson((person, _request, response) => {
      const problem = ownAccountProblem(person, response);
      sendConfirmation(response, { person, action, ...(problem === undefined ? {} : { problem }) });
    });
    router.get(path, requireOperator, show);

    const perform = withPerson(async (person, request, response) => {
      const problem = ownAccountProblem(person, response) ?? (await presentPasswordProblem(context, request, response));
      if (problem !== undefined) return sendConfirmation(response, { person, action, problem });
      const actor = { actor: personOf(response).email, origin: originOf(response) };
      if (action === 'link') {
        const path = await makeSignInLink(database, person, actor);
        return sendInvitation(context, request, response, { person, path, back: `/people/${person.id}` });
      }
      const result = await acts[action](person, actor);
      if (result !== 'last operator')
        return response.redirect(303, donePath(visitOf(response), `/people/${person.id}`, 'act'));
      sendConfirmation(response, { person, action, problem: visitOf(response).texts.people.lastOperator });
    });
    router.post(path, requireOperator, perform);
  }
}
