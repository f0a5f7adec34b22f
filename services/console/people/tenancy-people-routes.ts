/** What admins of a Tenancy do: invite people, change roles and take them away. */
import type { Request, RequestHandler, Response, Router } from 'express';
import { changeRole } from '#libs/people/administer-people.ts';
import { inviteFromConsole, TooManyRolesError } from '#libs/people/invitations.ts';
import { listPeopleOfTenancy } from '#libs/people/people-list.ts';
import { findPerson, type Person, parseEmail } from '#libs/people/persons.ts';
import { isRole, mayAdminister, type Role } from '#libs/people/roles.ts';
import { isUuid } from '#libs/schema/identifiers.ts';
import { requireAdmin, requireTenancy } from '../access.ts';
import { presentPasswordProblem } from '../account/present-password.ts';
import { type ConsoleContext, originOf, personOf, visitOf } from '../console-context.ts';
import { sendErrorPage } from '../error-page.ts';
import { formText, queryText } from '../form.ts';
import { sendPage } from '../page.ts';
import { emptyInvite, type InviteForm, peopleOfTenancy } from './pages.ts';
import { roleForms } from './person-pages.ts';
import { sendInvitation } from './send-invitation.ts';

interface PersonPath {
  readonly tenant: string;
  readonly person: string;
}

interface HeldRole {
  readonly person: Person;
  readonly role: Role;
}

export function addTenancyPeopleRoutes(router: Router, context: ConsoleContext): void {
  const { database } = context;
  const readable = requireTenancy(context);

  const sendList = async (
    request: Request<{ tenant: string }>,
    response: Response,
    invite: InviteForm,
  ): Promise<void> => {
    const visit = visitOf(response);
    const { tenant } = request.params;
    const range = { after: queryText(request, 'after'), reader: personOf(response) };
    const page = await listPeopleOfTenancy(database, tenant, range);
    const content = peopleOfTenancy(visit, tenant, { page, invite });
    const status = invite.problems.length === 0 ? 200 : 422;
    sendPage(response, { status, title: visit.texts.people.ofTenancy(tenant), content, styles: ['form-cards.css'] });
  };

  router.get('/tenancies/:tenant/people', readable, requireAdmin, (request, response) =>
    sendList(request, response, emptyInvite),
  );

  router.post('/tenancies/:tenant/people', readable, requireAdmin, async (request, response) => {
    const { tenant: tenantId } = request.params;
    const email = parseEmail(formText(request.body, 'email'));
    const role = formText(request.body, 'role');
    const isValid = email !== undefined && isRole(role);
    const problem = isValid ? await presentPasswordProblem(context, request, response) : undefined;
    if (!isValid || problem !== undefined) {
      const problems = [problem ?? visitOf(response).texts.people.emailWrong];
      return sendList(request, response, { email: formText(request.body, 'email'), role, problems });
    }
    const issuer = personOf(response);
    const tenancies = context.databases.ofTenancy(tenantId);
    const invitation = { email, as: { tenantId, role }, actor: issuer.email, origin: originOf(response), tenancies };
    const invited = await inviteFromConsole(database, invitation, issuer).catch((error: unknown) => {
      if (error instanceof TooManyRolesError) return undefined;
      throw error;
    });
    if (invited === undefined) {
      const problems = [visitOf(response).texts.people.tooManyRoles];
      return sendList(request, response, { email, role, problems });
    }
    const { before } = invited;
    const earlier = before === null || before === 'operator' ? undefined : { tenantId, before, after: role };
    sendInvitation(context, request, response, { ...invited, back: `/tenancies/${tenantId}/people`, earlier });
  });

  /** Without a role in this Tenancy the person does not exist for its admins. */
  const withPerson =
    (
      handle: (held: HeldRole, request: Request<PersonPath>, response: Response) => Promise<void> | void,
    ): RequestHandler<PersonPath> =>
    async (request, response) => {
      const { person: id, tenant } = request.params;
      const person = isUuid(id) ? await findPerson(database, id) : undefined;
      const role = person?.granted.roles.get(tenant);
      if (person === undefined || role === undefined) {
        return sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
      }
      await handle({ person, role }, request, response);
    };

  router.get(
    '/tenancies/:tenant/people/:person',
    readable,
    requireAdmin,
    withPerson((held, request, response) => sendRole(request, response, held, [])),
  );

  const sendRole = (
    request: Request<PersonPath>,
    response: Response,
    held: HeldRole,
    problems: readonly string[],
  ): void => {
    const content = roleForms(visitOf(response), { tenantId: request.params.tenant, ...held, problems });
    const status = problems.length === 0 ? 200 : 422;
    sendPage(response, { status, title: held.person.email, content, styles: ['form-cards.css'] });
  };

  /** Null takes the role away. */
  const setRole = async (
    request: Request<PersonPath>,
    response: Response,
    { held, role }: { readonly held: HeldRole; readonly role: Role | null },
  ): Promise<void> => {
    const problem = await presentPasswordProblem(context, request, response);
    if (problem !== undefined) return sendRole(request, response, held, [problem]);
    const { tenant: tenantId } = request.params;
    const { person } = held;
    const actor = personOf(response);
    const change = { personId: person.id, tenantId, role };
    await changeRole(database, change, { actor: actor.email, origin: originOf(response) });
    // An admin who gave up the own role sees what is left.
    const stays = actor.id !== person.id || role === 'admin' || actor.isOperator;
    response.redirect(303, stays && mayAdminister(actor, tenantId) ? `/tenancies/${tenantId}/people` : '/tenancies');
  };

  router.post(
    '/tenancies/:tenant/people/:person',
    readable,
    requireAdmin,
    withPerson(async (held, request, response) => {
      const role = formText(request.body, 'role');
      if (!isRole(role)) return sendErrorPage(response, 422, visitOf(response).texts.errors.form);
      await setRole(request, response, { held, role });
    }),
  );

  router.post(
    '/tenancies/:tenant/people/:person/removal',
    readable,
    requireAdmin,
    withPerson((held, request, response) => setRole(request, response, { held, role: null })),
  );
}
