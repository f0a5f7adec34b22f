/** Setting up an authenticator app, and the recovery codes that are shown once. */
import { totpUrl } from '#libs/people/totp.ts';
import type { Visit } from '../console-context.ts';
import { csrfInput, errorList, field } from '../form.ts';
import { type Html, html } from '../html.ts';
import { presentPasswordField } from './pages.ts';
import { qrCode } from './qr-code.ts';

interface Setup {
  /** In the form itself until a code proves that the app has it. */
  readonly secret: string;
  readonly email: string;
  readonly problems: readonly string[];
}

export function authenticatorSetup({ texts, browserToken }: Visit, { secret, email, problems }: Setup): Html {
  const { account: words } = texts;
  const code = { name: 'code', label: words.firstCode, autocomplete: 'one-time-code', maxLength: 10 };
  return html`<form class="narrow" method="post" action="/account/authenticator">
    ${csrfInput(browserToken)} ${errorList(problems)}
    <input type="hidden" name="secret" value=${secret} />
    <p>${words.scan}</p>
    ${qrCode(totpUrl(secret, texts.console, email), words.qrLabel)}
    <p>${words.typeSecret}<br /><code>${secret.match(/.{4}/g)?.join(' ')}</code></p>
    ${field(code)} ${presentPasswordField(texts)}
    <button>${words.turnOn}</button>
    <p><a class="button secondary outline" href="/account">${words.cancel}</a></p>
  </form>`;
}

export function recoveryCodeList({ texts }: Visit, codes: readonly string[]): Html {
  const { account: words } = texts;
  return html`<div class="narrow">
    <p>${words.recoveryShown}</p>
    <ul class="recovery-codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a class="button" href="/account">${words.stored}</a></p>
  </div>`;
}
