/** Answers 202 instead of a page whose books are loaded in the background; it asks again by a script. */
import type { Request, Response } from 'express';
import { visitOf } from './console-context.ts';
import { repeatedFields } from './form.ts';
import { type Html, html } from './html.ts';
import { ownPath } from './own-path.ts';
import { sendPage } from './page.ts';
import type { Texts } from './texts/en.ts';
import { tryAgainNotices } from './try-again-notices.ts';

/** A form must be one that records nothing: it is sent again when the page with it is answered. */
export function sendBeingPrepared(response: Response, reason: string): void {
  const { texts, target } = visitOf(response);
  const { beingPrepared: title, opensByItself, tryAgain } = texts.errors;
  const { req: request } = response;
  const again =
    request.method === 'POST' ? formAgain(texts, request) : html`<a href=${ownPath(target)}>${tryAgain}</a>`;
  const content = html`<p>${reason}</p>
    ${tryAgainNotices(texts, 202, opensByItself)}
    <p>${again}</p>`;
  response.setHeader('Retry-After', '1');
  sendPage(response, { status: 202, title, content, scripts: ['try-again.js'] });
}

function formAgain({ errors }: Texts, { originalUrl, body }: Request): Html {
  return html`<form method="post" action=${ownPath(originalUrl)} data-send-again>
    ${repeatedFields(body)}<button class="secondary">${errors.tryAgain}</button>
  </form>`;
}
