/** What `assets/try-again.js` shows while it asks again, and when it stops. Without scripts neither is true, and both stay hidden. */
import { type Html, html } from './html.ts';
import type { Texts } from './texts/en.ts';

export function tryAgainNotices({ errors }: Texts, status: 202 | 503, notice: string): Html {
  return html`<p role="status" data-try-again=${status} hidden>${notice}</p>
    <p role="status" data-gave-up hidden>${errors.gaveUp}</p>`;
}
