/** The account page: password, language, authenticator app, passkeys, sessions. */
import type { Request, Response } from 'express';
import { maxPasskeys, type Passkey } from '#libs/people/passkeys.ts';
import type { Person } from '#libs/people/persons.ts';
import type { ListedSession } from '#libs/people/sessions.ts';
import type { Visit } from '../console-context.ts';
import { formatInstant } from '../dates.ts';
import { csrfInput, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { languages } from '../languages.ts';
import { newPasswordFields } from '../sign-in/new-password.ts';
import { table } from '../table.ts';
import type { Texts } from '../texts/en.ts';
import { browserName } from './browser-name.ts';

export type AccountSection = 'password' | 'app';

export interface AccountState {
  readonly person: Person;
  readonly sessions: readonly ListedSession[];
  readonly passkeys: readonly Passkey[];
  readonly recoveryCodes: number;
  /** Absent where browsers know no passkeys for the address of the console. */
  readonly hasPasskeys: boolean;
  /** After a form that was done. */
  readonly done?: Content;
  readonly problems?: { readonly section: AccountSection; readonly texts: readonly string[] };
}

/** Sends the page; after a form that was not in order, with its problems. */
export type SendAccount = (
  request: Request,
  response: Response,
  state?: Pick<AccountState, 'problems'>,
) => Promise<void>;

export function accountPage(visit: Visit, state: AccountState): Html {
  const { account: words } = visit.texts;
  return html`<div>
    ${state.done}
    <p>${words.intro(state.person.email)}</p>
    <div class="cards">
      ${passwordCard(visit, state)} ${appCard(visit, state)} ${passkeyCard(visit, state)} ${languageCard(visit)}
    </div>
    ${sessionSection(visit, state.sessions)}
  </div>`;
}

function problemsOf({ problems }: AccountState, section: AccountSection): Content {
  return errorList(problems?.section === section ? problems.texts : []);
}

export function presentPasswordField({ account }: Texts): Html {
  const password = { type: 'password', autocomplete: 'current-password' } as const;
  return field({ name: 'present', label: account.presentPassword, ...password });
}

function passwordCard({ texts, browserToken }: Visit, state: AccountState): Html {
  const { account: words } = texts;
  return html`<article>
    <h2>${words.passwordTitle}</h2>
    <form method="post" action="/account/password">
      ${csrfInput(browserToken)} ${problemsOf(state, 'password')}
      <input type="hidden" name="username" value=${state.person.email} autocomplete="username" />
      ${presentPasswordField(texts)} ${newPasswordFields(texts)}
      ${
        state.passkeys.length > 0 &&
        html`<label>
          <input type="checkbox" name="remove_passkeys" value="yes" />
          ${words.removePasskeys}
        </label>`
      }
      <button>${words.changePassword}</button>
    </form>
  </article>`;
}

function appCard({ texts, browserToken }: Visit, state: AccountState): Html {
  const { account: words } = texts;
  if (state.person.totpSecret === null) {
    return html`<article>
      <h2>${words.appTitle}</h2>
      <p>${words.appOff}</p>
      <p><a class="button" href="/account/authenticator">${words.setUp}</a></p>
    </article>`;
  }
  return html`<article>
    <h2>${words.appTitle}</h2>
    <p>${words.appOn}</p>
    <p>${words.recoveryLeft(state.recoveryCodes)}</p>
    <form method="post" action="/account/authenticator/removal">
      ${csrfInput(browserToken)} ${problemsOf(state, 'app')} ${presentPasswordField(texts)}
      <div class="actions">
        <button class="secondary" formaction="/account/recovery-codes">${words.renew}</button>
        <button class="danger">${words.turnOff}</button>
      </div>
    </form>
  </article>`;
}

function passkeyCard(visit: Visit, { passkeys, hasPasskeys }: AccountState): Html {
  const { account: words } = visit.texts;
  return html`<article>
    <h2>${words.passkeysTitle}</h2>
    <p>${words.passkeysIntro}</p>
    ${passkeys.length === 0 ? html`<p>${words.noPasskeys}</p>` : passkeyList(visit, passkeys)}
    ${passkeyAddition(visit, { passkeys, hasPasskeys })}
  </article>`;
}

function passkeyList({ texts }: Visit, passkeys: readonly Passkey[]): Html {
  const { account: words } = texts;
  const items = passkeys.map(({ id, name, createdAt, lastUsedAt }) => {
    const lastUsed = lastUsedAt === null ? words.never : formatInstant(texts, lastUsedAt);
    return html`<li>
      <strong>${name}</strong><br />
      <small>${words.addedAt}: ${formatInstant(texts, createdAt)} · ${words.lastUsed}: ${lastUsed}</small><br />
      <a href=${`/account/passkeys/removal?id=${encodeURIComponent(id)}`} aria-label=${`${words.remove}: ${name}`}>
        ${words.remove}
      </a>
    </li>`;
  });
  return html`<ul class="passkeys">
    ${items}
  </ul>`;
}

/** Asks for the present password. */
export function passkeyRemoval(
  { texts, browserToken, person }: Visit,
  { id, name }: Passkey,
  problems: readonly string[],
): Html {
  const { account: words } = texts;
  return html`<form class="narrow" method="post">
    ${csrfInput(browserToken)} ${errorList(problems)}
    <p>${words.removeHint(name)}</p>
    <input type="hidden" name="id" value=${id} />
    <input type="hidden" name="username" value=${person?.email} autocomplete="username" />
    ${presentPasswordField(texts)}
    <div class="actions">
      <button class="danger">${words.remove}</button>
      <a class="button secondary outline" href="/account">${words.cancel}</a>
    </div>
  </form>`;
}

/** The form is shown by its script alone, which talks to the authenticator. */
function passkeyAddition(
  { texts, browserToken }: Visit,
  { passkeys, hasPasskeys }: Pick<AccountState, 'passkeys' | 'hasPasskeys'>,
): Html {
  const { account: words } = texts;
  if (!hasPasskeys) return html`<p><small>${words.passkeysElsewhere}</small></p>`;
  if (passkeys.length >= maxPasskeys) return html`<p>${words.passkeysFull(maxPasskeys)}</p>`;
  return html`<div>
    <noscript><p>${words.passkeysNeedScript}</p></noscript>
    <p class="error" role="alert" data-passkey-problem=${words.passkeyFailed} hidden></p>
    <form method="post" action="/account/passkeys" data-passkey="register" hidden>
      ${csrfInput(browserToken)}
      ${field({ name: 'name', label: words.passkeyName, hint: words.passkeyNameHint, maxLength: 60 })}
      ${presentPasswordField(texts)}
      <button class="secondary">${words.addPasskey}</button>
    </form>
  </div>`;
}

function languageCard({ texts, browserToken }: Visit): Html {
  const { account: words } = texts;
  return html`<article>
    <h2>${words.languageTitle}</h2>
    <p>${words.languageHint}</p>
    <form method="post" action="/language">
      ${csrfInput(browserToken)}
      <input type="hidden" name="path" value="/account" />
      <div class="actions">
        ${Object.entries(languages).map(
          ([name, { languageName }]) =>
            html`<button
              name="language"
              value=${name}
              lang=${name}
              class=${name === texts.language ? '' : 'outline'}
              aria-pressed=${String(name === texts.language)}
            >
              ${languageName}
            </button>`,
        )}
      </div>
    </form>
  </article>`;
}

function sessionSection({ texts, browserToken }: Visit, sessions: readonly ListedSession[]): Html {
  const { account: words } = texts;
  const browser = ({ userAgent, isPresent }: ListedSession): Html =>
    html`<span title=${userAgent}>${browserName(texts, userAgent)}</span>
      ${isPresent && html`<br /><small>${words.thisBrowser}</small>`}`;
  return html`<section>
    <h2>${words.sessionsTitle}</h2>
    ${table<ListedSession>(
      words.sessionsTitle,
      [
        { title: words.browser, cell: browser },
        { title: words.address, cell: ({ address }) => address },
        { title: words.signedInAt, cell: ({ createdAt }) => formatInstant(texts, createdAt) },
        { title: words.lastSeen, cell: ({ lastSeenAt }) => formatInstant(texts, lastSeenAt) },
      ],
      sessions,
    )}
    <form method="post" action="/account/sign-out-everywhere">
      ${csrfInput(browserToken)}
      <p>${words.signOutHint}</p>
      <button class="danger narrow-button">${words.signOutEverywhere}</button>
    </form>
  </section>`;
}
