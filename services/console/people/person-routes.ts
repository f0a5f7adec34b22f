/** What operators do to one person. */
import type { RequestHandler, Response, Router } from 'express';
import { validate as isUuid } from 'uuid';
import { type Actor, changeAccess, changeOperator, resetSecondFactor } from '#libs/people/administer-people.ts';
import { makeSignInLink } from '#libs/people/invitations.ts';
import { listPasskeys } from '#libs/people/passkeys.ts';
import { findPerson, type Person } from '#libs/people/persons.ts';
import { countSessions, signOutEverywhere } from '#libs/people/sessions.ts';
import { requireOperator } from '../access.ts';
import { type ConsoleContext, originOf, personOf, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { sendPage } from '../page.ts';
import { personPage } from './person-pages.ts';
import { sendInvitation } from './send-invitation.ts';

export function addPersonRoutes(router: Router, context: ConsoleContext): void {
  const { database } = context;

  const sendPerson = async (
    response: Response,
    person: Person,
    { isDone = false, problems = [] }: { readonly isDone?: boolean; readonly problems?: readonly string[] },
  ): Promise<void> => {
    const visit = visitOf(response);
    const [sessionCount, passkeys] = await Promise.all([
      countSessions(database, person.id),
      listPasskeys(database, person.id),
    ]);
    const state = { person, sessionCount, passkeyCount: passkeys.length, isDone, problems };
    const status = problems.length === 0 ? 200 : 422;
    sendPage(response, { status, title: person.email, content: personPage(visit, state), styles: ['people.css'] });
  };

  const withPerson =
    (
      handle: (
        person: Person,
        request: Parameters<RequestHandler<{ person: string }>>[0],
        response: Response,
      ) => Promise<void>,
    ): RequestHandler<{ person: string }> =>
    async (request, response) => {
      const { person: id } = request.params;
      const person = isUuid(id) ? await findPerson(database, id) : undefined;
      if (person === undefined) sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
      else await handle(person, request, response);
    };

  router.get(
    '/people/:person',
    requireOperator,
    withPerson((person, request, response) =>
      sendPerson(response, person, { isDone: request.query['done'] !== undefined }),
    ),
  );

  const addAction = (path: string, act: (person: Person, actor: Actor) => Promise<unknown>): void => {
    router.post(
      `/people/:person/${path}`,
      requireOperator,
      withPerson(async (person, _request, response) => {
        const result = await act(person, actorOf(response));
        if (result !== 'last operator') return response.redirect(303, `/people/${person.id}?done`);
        await sendPerson(response, person, { problems: [visitOf(response).texts.people.lastOperator] });
      }),
    );
  };

  addAction('operator', ({ id }, actor) => changeOperator(database, { personId: id, isOperator: true }, actor));
  addAction('operator/removal', ({ id }, actor) =>
    changeOperator(database, { personId: id, isOperator: false }, actor),
  );
  addAction('disable', ({ id }, actor) => changeAccess(database, { personId: id, isDisabled: true }, actor));
  addAction('enable', ({ id }, actor) => changeAccess(database, { personId: id, isDisabled: false }, actor));
  addAction('second-factor/removal', ({ id }, actor) => resetSecondFactor(database, id, actor));
  addAction('sessions/removal', (person, actor) => signOutEverywhere(database, person, actor));

  router.post(
    '/people/:person/link',
    requireOperator,
    withPerson(async (person, request, response) => {
      const path = await makeSignInLink(database, person, actorOf(response));
      sendInvitation(context, request, response, { email: person.email, path, back: `/people/${person.id}` });
    }),
  );
}

function actorOf(response: Response): Actor {
  return { actor: personOf(response).email, origin: originOf(response) };
}
