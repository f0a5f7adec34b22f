/** One person: for operators everything, for admins of a Tenancy the role in it. */
import { hasRightsNotInForce, type Person } from '#libs/people/persons.ts';
import type { Role } from '#libs/people/roles.ts';
import { presentPasswordField } from '../account/pages.ts';
import type { Visit } from '../console-context.ts';
import { choice, csrfInput, errorList } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import type { Texts } from '../texts/en.ts';
import { roleChoices, roleText, stateText } from './pages.ts';
import { isDanger, type PersonAction } from './person-actions.ts';

interface PersonState {
  readonly person: Person;
  readonly sessionCount: number;
  readonly passkeyCount: number;
  /** After an act on the person. */
  readonly done: Content;
}

interface RoleState {
  readonly tenantId: string;
  readonly person: Person;
  readonly role: Role;
  readonly problems: readonly string[];
}

/** Of a person with more roles the pages of the Tenancies show the others. */
const maxListedRoles = 100;

export function personPage(visit: Visit, state: PersonState): Html {
  const { texts } = visit;
  const { people: words } = texts;
  const { person, done } = state;
  const isOwn = person.id === visit.person?.id;
  return html`<div>
    ${done}
    ${isOwn && html`<p class="notice">${words.ownAccount} <a href="/account">${texts.account.title}</a></p>`}
    ${hasRightsNotInForce(person) && html`<p class="notice">${words.notInForce(person.credentialScope ?? [])}</p>`}
    <p>${words.state}: ${stateText(texts, { ...person, hasPassword: person.passwordHash !== null })}</p>
    ${!isOwn && actionCards(texts, state)} ${roleSection(visit, person)}
  </div>`;
}

/** Each act is confirmed on its own page. */
function actionCards(texts: Texts, { person, sessionCount, passkeyCount }: PersonState): Html {
  const { people: words } = texts;
  const { isOperator } = person.granted;
  const hasSecondFactor = person.totpSecret !== null || passkeyCount > 0;
  const card = (title: string, text: string, actions: readonly PersonAction[]): Html =>
    html`<article>
      <h2>${title}</h2>
      <p>${text}</p>
      ${actions.length > 0 && html`<div class="actions">${actions.map((action) => actionLink(texts, person, action))}</div>`}
    </article>`;
  return html`<div class="card-grid">
    ${card(
      words.operatorTitle,
      isOperator ? words.isOperator : words.isNoOperator,
      isOperator ? ['operator/removal'] : ['operator'],
    )}
    ${card(
      words.accessTitle,
      person.isDisabled ? words.isDisabled : words.isEnabled,
      person.isDisabled ? ['enable'] : ['link', 'disable'],
    )}
    ${card(
      words.resetTitle,
      hasSecondFactor ? words.set : words.notSet,
      hasSecondFactor ? ['second-factor/removal'] : [],
    )}
    ${card(words.sessionsTitle, words.sessionCount(sessionCount), ['sessions/removal'])}
  </div>`;
}

function actionLink({ people: words }: Texts, person: Person, action: PersonAction): Html {
  const look = isDanger(action) ? 'danger' : 'secondary';
  return html`<a class=${`button ${look}`} href=${`/people/${person.id}/${action}`}>
    ${words.actions[action].button}
  </a>`;
}

function roleSection({ texts }: Visit, person: Person): Content {
  const { people: words } = texts;
  if (person.granted.roles.size === 0) return null;
  const listed = [...person.granted.roles].sort().slice(0, maxListedRoles);
  const tenancyLink = ([tenantId]: readonly [string, Role]): Html => {
    const href = `/tenancies/${encodeURIComponent(tenantId)}/people/${person.id}`;
    return html`<a href=${href}>${tenantId}</a>`;
  };
  return html`<section>
    <h2>${words.rolesTitle}</h2>
    ${table<readonly [string, Role]>(
      words.rolesTitle,
      [
        { title: words.tenancy, cell: tenancyLink },
        { title: words.role, cell: ([, role]) => roleText(texts, role) },
      ],
      listed,
    )}
    ${person.granted.roles.size > listed.length && html`<p>${words.more(person.granted.roles.size - listed.length)}</p>`}
  </section>`;
}

/** Changes the role, or takes it away. */
export function roleForms(
  { texts, browserToken, person: actor }: Visit,
  { tenantId, person, role, problems }: RoleState,
): Html {
  const { people: words } = texts;
  const base = `/tenancies/${encodeURIComponent(tenantId)}/people`;
  return html`<form class="narrow" method="post" action=${`${base}/${person.id}`}>
    ${csrfInput(browserToken)} ${errorList(problems)}
    <p>${words.roleHint}</p>
    <p>${words.takeAwayHint(person.email, tenantId)}</p>
    <input type="hidden" name="username" value=${actor?.email} autocomplete="username" />
    ${choice('role', words.role, roleChoices(texts), role)} ${presentPasswordField(texts)}
    <div class="actions">
      <button>${words.change}</button>
      <button class="danger" formaction=${`${base}/${person.id}/removal`}>${words.takeAway}</button>
      <a class="button secondary outline" href=${base}>${words.back}</a>
    </div>
  </form>`;
}
