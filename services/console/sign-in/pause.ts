/** Says how long a sign-in has to wait after too many attempts: to people in words, to programs in a header. */
import type { Response } from 'express';
import type { SignInPause } from '#libs/people/sign-in.ts';
import { visitOf } from '../console-context.ts';
import { formatWait } from '../dates.ts';

export function pauseText(response: Response, { waitMs }: SignInPause): string {
  const { texts } = visitOf(response);
  response.setHeader('Retry-After', String(Math.ceil(waitMs / 1_000)));
  return texts.signIn.wait(formatWait(texts, waitMs));
}
