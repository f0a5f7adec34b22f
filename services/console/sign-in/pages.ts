/** The forms of sign-in. */
import type { Person } from '#libs/people/persons.ts';
import type { Visit } from '../console-context.ts';
import { csrfInput, errorList, field } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import { newPasswordFields } from './new-password.ts';

interface SignInForm {
  readonly email: string;
  /** The page that was asked for before. */
  readonly next: string;
  readonly problems: readonly string[];
  readonly hasPasskeys: boolean;
}

export function signInForm(visit: Visit, { email, next, problems, hasPasskeys }: SignInForm): Html {
  const { texts, browserToken } = visit;
  const { signIn } = texts;
  return html`<div class="narrow">
    <form method="post" action="/sign-in">
      ${csrfInput(browserToken)} ${nextInput(next)} ${errorList(problems)}
      ${field({ name: 'email', label: signIn.email, type: 'email', value: email, autocomplete: 'username' })}
      ${field({ name: 'password', label: signIn.password, type: 'password', autocomplete: 'current-password' })}
      <button>${signIn.submit}</button>
    </form>
    ${hasPasskeys && passkeyForm(visit, next)}
    <p><small>${signIn.lost}</small></p>
  </div>`;
}

function nextInput(next: string): Content {
  return next !== '' && html`<input type="hidden" name="next" value=${next} />`;
}

/** Shown by its script alone. */
function passkeyForm({ texts, browserToken }: Visit, next: string): Html {
  return html`<div>
    <p class="error" role="alert" data-passkey-problem=${texts.signIn.passkeyFailed} hidden></p>
    <form method="post" action="/sign-in/passkey" data-passkey="sign-in" hidden>
      ${csrfInput(browserToken)} ${nextInput(next)}
      <button class="secondary outline">${texts.signIn.usePasskey}</button>
    </form>
  </div>`;
}

export function codeForm(
  { texts, browserToken }: Visit,
  { next, problems }: { readonly next: string; readonly problems: readonly string[] },
): Html {
  const { signIn } = texts;
  const code = { name: 'code', label: signIn.code, hint: signIn.codeHint, autocomplete: 'one-time-code' };
  return html`<form class="narrow" method="post" action="/sign-in/code">
    ${csrfInput(browserToken)} ${nextInput(next)} ${errorList(problems)} ${field({ ...code, maxLength: 40 })}
    <button>${signIn.submit}</button>
    <p><a href="/sign-in">${signIn.startAgain}</a></p>
  </form>`;
}

/** Posts to the address of the link itself. */
export function linkForm({ texts, browserToken }: Visit, { email }: Person, problems: readonly string[]): Html {
  const { signIn } = texts;
  return html`<form class="narrow" method="post">
    <p>${signIn.linkIntro(email)}</p>
    <p><small>${signIn.linkForOthers} <a href="/sign-in">${signIn.title}</a></small></p>
    ${csrfInput(browserToken)} ${errorList(problems)}
    <input type="hidden" name="username" value=${email} autocomplete="username" />
    ${newPasswordFields(texts)}
    <button>${signIn.save}</button>
  </form>`;
}
