/** Warns that the session ends. Shown by its script alone (assets/session-end.js). */
import type { Visit } from '../console-context.ts';
import { csrfInput } from '../form.ts';
import { type Content, html } from '../html.ts';

export function sessionNotice({ texts, browserToken, sessionEndsInMs }: Visit): Content {
  const { signIn: words } = texts;
  if (sessionEndsInMs === undefined) return null;
  return html`<div class="session-notice" role="alert" data-session-ends-in=${sessionEndsInMs} hidden>
    <form method="post" action="/account/session" data-session="ending" hidden>
      ${csrfInput(browserToken)}
      <p>${words.sessionEndsIn} <strong data-minutes></strong> ${words.minutes}</p>
      <button>${words.staySignedIn}</button>
    </form>
    <div data-session="ended" hidden>
      <p>${words.sessionEnded}</p>
      <a class="button" href="/sign-in" target="_blank">${words.signInInNewTab}</a>
    </div>
  </div>`;
}
