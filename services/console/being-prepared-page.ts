/** Answers 202 instead of a page whose books are loaded in the background; it asks again by a script. */
import type { Response } from 'express';
import { visitOf } from './console-context.ts';
import { html } from './html.ts';
import { ownPath } from './own-path.ts';
import { sendPage } from './page.ts';

export function sendBeingPrepared(response: Response, reason: string): void {
  const { texts, target } = visitOf(response);
  const { beingPrepared: title, opensByItself, tryAgain } = texts.errors;
  // Without scripts the page does not open by itself, and the sentence stays hidden.
  const content = html`<p>${reason}</p>
    <p role="status" data-try-again hidden>${opensByItself}</p>
    <p><a href=${ownPath(target)}>${tryAgain}</a></p>`;
  response.setHeader('Retry-After', '1');
  sendPage(response, { status: 202, title, content, scripts: ['try-again.js'] });
}
