/** Lists of people, the forms that invite, and the link that is shown once. */
import type { ListedPerson, PeoplePage, SignInState } from '#libs/people/people-list.ts';
import { hasRightsNotInForce, type Person } from '#libs/people/persons.ts';
import { isRole, type Role, roles } from '#libs/people/roles.ts';
import { presentPasswordField } from '../account/pages.ts';
import type { Visit } from '../console-context.ts';
import { formatInstant } from '../dates.ts';
import { type Choice, choice, csrfInput, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { type Column, table } from '../table.ts';
import type { Texts } from '../texts/en.ts';

export interface InviteForm {
  readonly email: string;
  /** In a Tenancy. */
  readonly role?: string;
  readonly problems: readonly string[];
}

export const emptyInvite: InviteForm = { email: '', problems: [] };

export function roleText({ people }: Texts, role: string): string {
  return isRole(role) ? people.roles[role] : role;
}

export function roleChoices(texts: Texts): readonly Choice[] {
  return roles.map((role) => ({ value: role, text: roleText(texts, role) }));
}

export function stateText({ people }: Texts, person: Pick<SignInState, 'isDisabled' | 'hasPassword'>): string {
  if (person.isDisabled) return people.disabled;
  return person.hasPassword ? people.active : people.invited;
}

/** All persons of the installation, for operators. */
export function peopleOfInstallation(
  visit: Visit,
  { page, search, invite }: { readonly page: PeoplePage; readonly search: string; readonly invite: InviteForm },
): Html {
  const { texts, browserToken } = visit;
  const { people: words } = texts;
  const link = ({ id, email }: ListedPerson): Html => html`<a href=${`/people/${id}`}>${email}</a>`;
  const query = search === '' ? '' : `search=${encodeURIComponent(search)}&`;
  return html`<div>
    <form method="get" class="search-line">
      ${field({ name: 'search', label: words.searchLabel, value: search, required: false })}
      <button class="secondary narrow-button">${words.search}</button>
    </form>
    ${peopleTable(visit, page, [
      { title: words.email, cell: link },
      { title: words.rights, cell: (person) => rightsOf(texts, person) },
    ])}
    ${nextLink(visit, page, `/people?${query}`)}
    <article>
      <h2>${words.inviteOperatorTitle}</h2>
      <p>${words.inviteOperatorHint}</p>
      <form method="post" action="/people">
        ${csrfInput(browserToken)} ${errorList(invite.problems)}
        <div class="grid">
          ${field({ name: 'email', label: words.email, type: 'email', value: invite.email })}
          ${presentPasswordField(texts)}
        </div>
        <button class="narrow-button">${words.invite}</button>
      </form>
    </article>
  </div>`;
}

/** Marks what is not in force (decision 0075); the page of the person says why. */
function rightsOf(texts: Texts, { isOperator, roles: held, roleCount, credentialScope = null }: ListedPerson): string {
  const { people: words } = texts;
  const marked = (right: string, isInForce: boolean): string => (isInForce ? right : words.rightNotInForce(right));
  const rights = [
    ...(isOperator ? [marked(words.operator, credentialScope === null)] : []),
    ...held.map(([tenantId, role]) =>
      marked(words.roleIn(roleText(texts, role), tenantId), credentialScope?.includes(tenantId) ?? true),
    ),
    ...(roleCount > held.length ? [words.more(roleCount - held.length)] : []),
  ];
  return rights.length === 0 ? words.noRights : rights.join(', ');
}

/** Those with a role in the Tenancy, for its admins. */
export function peopleOfTenancy(
  visit: Visit,
  tenantId: string,
  { page, invite }: { readonly page: PeoplePage; readonly invite: InviteForm },
): Html {
  const { texts, browserToken } = visit;
  const { people: words } = texts;
  const base = `/tenancies/${encodeURIComponent(tenantId)}/people`;
  const link = ({ id, email }: ListedPerson): Html => html`<a href=${`${base}/${id}`}>${email}</a>`;
  return html`<div>
    <p>${words.roleHint}</p>
    ${peopleTable(visit, page, [
      { title: words.email, cell: link },
      { title: words.role, cell: ({ roles: [held] }) => roleText(texts, held?.[1] ?? '') },
    ])}
    ${page.people.some(({ state }) => state === null) && html`<p><small>${words.addedMeaning}</small></p>`}
    ${nextLink(visit, page, `${base}?`)}
    <article>
      <h2>${words.inviteTitle}</h2>
      <form method="post" action=${base}>
        ${csrfInput(browserToken)} ${errorList(invite.problems)}
        <div class="grid">
          ${field({ name: 'email', label: words.email, type: 'email', value: invite.email })}
          ${choice('role', words.role, roleChoices(texts), invite.role ?? 'support')} ${presentPasswordField(texts)}
        </div>
        <button class="narrow-button">${words.invite}</button>
      </form>
    </article>
  </div>`;
}

function peopleTable({ texts }: Visit, { people }: PeoplePage, first: readonly Column<ListedPerson>[]): Content {
  const { people: words } = texts;
  if (people.length === 0) return html`<p>${words.empty}</p>`;
  const lastSignIn = ({ lastSignInAt }: SignInState): string =>
    lastSignInAt === null ? words.never : formatInstant(texts, lastSignInAt);
  const ofState = (text: (state: SignInState) => string, absent: string) => (person: ListedPerson) =>
    person.state === null ? absent : text(person.state);
  const secondFactor = ({ hasSecondFactor }: SignInState): string => (hasSecondFactor ? words.set : words.notSet);
  return table<ListedPerson>(
    words.title,
    [
      ...first,
      { title: words.lastSignIn, cell: ofState(lastSignIn, '—') },
      { title: words.secondFactor, cell: ofState(secondFactor, '—') },
      { title: words.state, cell: ofState((state) => stateText(texts, state), words.added) },
    ],
    people,
  );
}

function nextLink({ texts }: Visit, { next }: PeoplePage, base: string): Content {
  return next !== undefined && html`<p><a href=${`${base}after=${encodeURIComponent(next)}`}>${texts.next}</a></p>`;
}

/** What a person had before the invitation, in the place that it is for. */
export type EarlierRight = 'operator' | { readonly tenantId: string; readonly before: Role; readonly after: Role };

interface InvitationResult {
  readonly person: Person;
  readonly url: string | undefined;
  readonly back: string;
  readonly earlier?: EarlierRight | undefined;
}

/** The answer to an invitation: there is no second way to the link. */
export function invitationResult(visit: Visit, { person, url, back, earlier }: InvitationResult): Html {
  const { people: words } = visit.texts;
  const notice =
    earlier && html`<p class="notice" role="note">${earlierRightText(visit.texts, person.email, earlier)}</p>`;
  if (url === undefined) {
    return html`<div>
      ${notice}
      <p>${words.addedHint(person.email)}</p>
      ${hasRightsNotInForce(person) && html`<p class="notice">${words.notInForce(person.credentialScope ?? [])}</p>`}
      <p class="actions">
        <a class="button" href=${`/people/${person.id}`}>${words.toPerson}</a>
        <a class="button secondary outline" href=${back}>${words.back}</a>
      </p>
    </div>`;
  }
  return html`<div>
    ${notice}
    <p>${words.linkFor(person.email)} ${words.linkHint} ${visit.person?.isOperator !== true && words.linkForOthers}</p>
    <p><code class="one-time-link">${url}</code></p>
    <p><a class="button" href=${back}>${words.linkStored}</a></p>
  </div>`;
}

function earlierRightText(texts: Texts, email: string, earlier: EarlierRight): string {
  const { people: words } = texts;
  if (earlier === 'operator') return words.operatorBefore(email);
  const { tenantId, before, after } = earlier;
  const role = roleText(texts, before);
  return before === after
    ? words.roleKept(email, tenantId, role)
    : words.roleChanged(email, tenantId, [role, roleText(texts, after)]);
}
