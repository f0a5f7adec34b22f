/** What is sent when a session ends while a form is filled in: what was entered is kept, and can be sent after signing in. */
import type { Request, Response } from 'express';
import { type Visit, visitOf } from '../console-context.ts';
import { repeatedFields } from '../form.ts';
import { type Html, html } from '../html.ts';
import { ownPath } from '../own-path.ts';
import { sendPage } from '../page.ts';

/** The token in the form was right for the session that has ended: the form is one of the console, and so is this page. */
export function sendFormOfEndedSession(request: Request, response: Response): void {
  // Nothing is left to do.
  if (request.path === '/sign-out') return void response.redirect(303, '/sign-in');
  const visit = visitOf(response);
  const action = ownPath(request.originalUrl);
  const content = formOfEndedSession(visit, action, request.body);
  sendPage(response, { status: 401, title: visit.texts.signIn.endedTitle, content });
}

function formOfEndedSession({ texts }: Visit, action: string, body: unknown): Html {
  const { signIn: words } = texts;
  return html`<div class="narrow">
    <p>${words.endedHint}</p>
    <p><a class="button" href="/sign-in" target="_blank">${words.signInInNewTab}</a></p>
    <form method="post" action=${action}>
      ${repeatedFields(body)}
      <button class="secondary">${words.sendEntered}</button>
    </form>
  </div>`;
}
