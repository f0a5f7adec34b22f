/** The page with a sign-in link: the answer to the form that made it. */
import type { Request, Response } from 'express';
import type { Person } from '#libs/people/persons.ts';
import { type ConsoleContext, visitOf } from '../console-context.ts';
import { sendPage } from '../page.ts';
import { type EarlierRight, invitationResult } from './pages.ts';

export interface SentInvitation {
  readonly person: Person;
  /** Of the link; undefined where the person needs none. */
  readonly path: string | undefined;
  readonly back: string;
  /** Of a person who had a right there before the invitation. */
  readonly earlier?: EarlierRight | undefined;
}

export function sendInvitation(
  { url }: ConsoleContext,
  request: Request<object>,
  response: Response,
  { person, path, back, earlier }: SentInvitation,
): void {
  const visit = visitOf(response);
  const { people: words } = visit.texts;
  const base = url ?? `${request.protocol}://${request.get('Host')}`;
  const link = path === undefined ? undefined : new URL(path, base).href;
  const content = invitationResult(visit, { person, url: link, back, earlier });
  const withoutLink = earlier === undefined ? words.addedTitle : words.knownTitle;
  const title = link === undefined ? withoutLink : words.linkTitle;
  sendPage(response, { status: 201, title, content, styles: ['form-cards.css'] });
}
