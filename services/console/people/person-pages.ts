/** One person: for operators everything, for admins of a Tenancy the role in it. */
import type { Person } from '#libs/people/persons.ts';
import type { Role } from '#libs/people/roles.ts';
import type { Visit } from '../console-context.ts';
import { choice, csrfInput, errorList } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { table } from '../table.ts';
import { roleChoices, roleText, stateText } from './pages.ts';

interface PersonState {
  readonly person: Person;
  readonly sessionCount: number;
  readonly passkeyCount: number;
  readonly isDone: boolean;
  readonly problems: readonly string[];
}

/** Of a person with more roles the pages of the Tenancies show the others. */
const maxListedRoles = 100;

export function personPage(visit: Visit, state: PersonState): Html {
  const { texts } = visit;
  const { people: words } = texts;
  const { person, isDone, problems } = state;
  return html`<div>
    ${isDone && html`<p role="status" class="notice">${words.done}</p>`} ${errorList(problems)}
    <p>${words.state}: ${stateText(texts, { ...person, hasPassword: person.passwordHash !== null })}</p>
    <div class="cards">
      ${operatorCard(visit, person)} ${accessCard(visit, person)} ${secondFactorCard(visit, state)}
      ${sessionCard(visit, state)}
    </div>
    ${roleSection(visit, person)}
  </div>`;
}

/** A form of one button, which posts to this path under the person. */
function action(
  { browserToken }: Visit,
  person: Person,
  { path, text, isDanger = true }: { readonly path: string; readonly text: string; readonly isDanger?: boolean },
): Html {
  return html`<form method="post" action=${`/people/${person.id}/${path}`}>
    ${csrfInput(browserToken)}
    <button class=${`narrow-button ${isDanger ? 'danger' : 'secondary'}`}>${text}</button>
  </form>`;
}

function operatorCard(visit: Visit, person: Person): Html {
  const { people: words } = visit.texts;
  return html`<article>
    <h2>${words.operatorTitle}</h2>
    <p>${person.isOperator ? words.isOperator : words.isNoOperator}</p>
    ${
      person.isOperator
        ? action(visit, person, { path: 'operator/removal', text: words.unmakeOperator })
        : action(visit, person, { path: 'operator', text: words.makeOperator, isDanger: false })
    }
  </article>`;
}

function accessCard(visit: Visit, person: Person): Html {
  const { people: words } = visit.texts;
  return html`<article>
    <h2>${words.accessTitle}</h2>
    <p>${person.isDisabled ? words.isDisabled : words.isEnabled}</p>
    ${
      person.isDisabled
        ? action(visit, person, { path: 'enable', text: words.enable, isDanger: false })
        : action(visit, person, { path: 'disable', text: words.disable })
    }
    ${
      !person.isDisabled &&
      html`<div>
        <p>${words.linkActionHint}</p>
        ${action(visit, person, { path: 'link', text: words.linkAction, isDanger: false })}
      </div>`
    }
  </article>`;
}

function secondFactorCard(visit: Visit, { person, passkeyCount }: PersonState): Html {
  const { people: words } = visit.texts;
  const isSet = person.totpSecret !== null || passkeyCount > 0;
  return html`<article>
    <h2>${words.resetTitle}</h2>
    <p>${isSet ? words.set : words.notSet}</p>
    ${
      isSet &&
      html`<div>
        <p>${words.resetHint}</p>
        ${action(visit, person, { path: 'second-factor/removal', text: words.reset })}
      </div>`
    }
  </article>`;
}

function sessionCard(visit: Visit, { person, sessionCount }: PersonState): Html {
  const { people: words } = visit.texts;
  return html`<article>
    <h2>${words.sessionsTitle}</h2>
    <p>${words.sessionCount(sessionCount)}</p>
    ${action(visit, person, { path: 'sessions/removal', text: words.endSessions })}
  </article>`;
}

function roleSection({ texts }: Visit, person: Person): Content {
  const { people: words } = texts;
  if (person.roles.size === 0) return null;
  const listed = [...person.roles].sort().slice(0, maxListedRoles);
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
    ${person.roles.size > listed.length && html`<p>${words.more(person.roles.size - listed.length)}</p>`}
  </section>`;
}

export function roleForms(
  { texts, browserToken }: Visit,
  { tenantId, person, role }: { readonly tenantId: string; readonly person: Person; readonly role: Role },
): Html {
  const { people: words } = texts;
  const base = `/tenancies/${encodeURIComponent(tenantId)}/people`;
  return html`<div class="cards">
    <article>
      <p>${words.roleHint}</p>
      <form method="post" action=${`${base}/${person.id}`}>
        ${csrfInput(browserToken)} ${choice('role', words.role, roleChoices(texts), role)}
        <div class="actions">
          <button>${words.change}</button>
          <a role="button" class="secondary outline" href=${base}>${words.back}</a>
        </div>
      </form>
    </article>
    <article>
      <p>${words.takeAwayHint(person.email, tenantId)}</p>
      <form method="post" action=${`${base}/${person.id}/removal`}>
        ${csrfInput(browserToken)}
        <button class="danger narrow-button">${words.takeAway}</button>
      </form>
    </article>
  </div>`;
}
