/** People of the installation for operators, and people of a Tenancy for its admins. */
import { type Request, type Response, Router } from 'express';
import { inviteFromConsole } from '#libs/people/invitations.ts';
import { listPeople } from '#libs/people/people-list.ts';
import { parseEmail } from '#libs/people/persons.ts';
import { requireOperator } from '../access.ts';
import { presentPasswordProblem } from '../account/present-password.ts';
import { type ConsoleContext, originOf, personOf, visitOf } from '../console-context.ts';
import { formText, queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import { emptyInvite, type InviteForm, peopleOfInstallation } from './pages.ts';
import { addPersonRoutes } from './person-routes.ts';
import { sendInvitation } from './send-invitation.ts';
import { addTenancyPeopleRoutes } from './tenancy-people-routes.ts';

export function peopleRouter(context: ConsoleContext): Router {
  const { database } = context;
  const router = Router();

  const sendList = async (request: Request, response: Response, invite: InviteForm): Promise<void> => {
    const visit = visitOf(response);
    const part = queryText(request, 'search').slice(0, 254);
    const page = await listPeople(database, { search: part, after: queryText(request, 'after') });
    const content = peopleOfInstallation(visit, { page, search: part, invite });
    const status = invite.problems.length === 0 ? 200 : 422;
    sendPage(response, { status, title: visit.texts.people.title, content, styles: ['form-cards.css'] });
  };

  router.get('/people', requireOperator, (request, response) => sendList(request, response, emptyInvite));

  router.post('/people', requireOperator, async (request, response) => {
    const email = parseEmail(formText(request.body, 'email'));
    const problem = email === undefined ? undefined : await presentPasswordProblem(context, request, response);
    if (email === undefined || problem !== undefined) {
      const problems = [problem ?? visitOf(response).texts.people.emailWrong];
      return sendList(request, response, { email: formText(request.body, 'email'), problems });
    }
    const invitation = { email, as: 'operator', actor: personOf(response).email, origin: originOf(response) } as const;
    const { before, ...invited } = await inviteFromConsole(database, invitation, personOf(response));
    const earlier = before === null ? undefined : 'operator';
    sendInvitation(context, request, response, { ...invited, back: '/people', earlier });
  });

  addPersonRoutes(router, context);
  addTenancyPeopleRoutes(router, context);
  return router;
}
