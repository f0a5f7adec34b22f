/** The forms of sign-in. */
import type { Person } from '#libs/people/persons.ts';
import type { Visit } from '../console-context.ts';
import { csrfInput, errorList, field } from '../form.ts';
import { type Html, html } from '../html.ts';

export function signInForm(
  { texts, browserToken }: Visit,
  { email, problems }: { readonly email: string; readonly problems: readonly string[] },
): Html {
  const { signIn } = texts;
  return html`<form class="narrow" method="post" action="/sign-in">
    ${csrfInput(browserToken)} ${errorList(problems)}
    ${field({ name: 'email', label: signIn.email, type: 'email', value: email, autocomplete: 'username' })}
    ${field({ name: 'password', label: signIn.password, type: 'password', autocomplete: 'current-password' })}
    <button>${signIn.submit}</button>
  </form>`;
}

/** Posts to the address of the link itself. */
export function linkForm({ texts, browserToken }: Visit, { email }: Person, problems: readonly string[]): Html {
  const { signIn } = texts;
  const newPassword = { type: 'password', autocomplete: 'new-password' } as const;
  return html`<form class="narrow" method="post">
    <p>${signIn.linkIntro(email)}</p>
    ${csrfInput(browserToken)} ${errorList(problems)}
    <input type="hidden" name="username" value=${email} autocomplete="username" />
    ${field({ name: 'password', label: signIn.newPassword, hint: signIn.passwordHint, ...newPassword })}
    ${field({ name: 'repeated', label: signIn.repeatPassword, ...newPassword })}
    <button>${signIn.save}</button>
  </form>`;
}
