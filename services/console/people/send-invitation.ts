/** The page with a sign-in link: the answer to the form that made it. */
import type { Request, Response } from 'express';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendPage } from '../page.ts';
import { invitationResult } from './pages.ts';

export interface SentInvitation {
  readonly email: string;
  /** Of the link; undefined where the person needs none. */
  readonly path: string | undefined;
  readonly back: string;
}

export function sendInvitation(
  { url }: ConsoleContext,
  request: Request<object>,
  response: Response,
  { email, path, back }: SentInvitation,
): void {
  const visit = visitOf(response);
  const { people: words } = visit.texts;
  const base = url ?? `${request.protocol}://${request.get('Host')}`;
  const link = path === undefined ? undefined : new URL(path, base).href;
  const content = invitationResult(visit, { email, url: link, back });
  const title = link === undefined ? words.addedTitle : words.linkTitle;
  sendPage(response, { status: 201, title, content, styles: ['people.css'] });
}
