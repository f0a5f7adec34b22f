/** Forms that change how a person signs in, what a person may do, or which keys there are ask for the present password. */
import type { Request, Response } from 'express';
import { confirmPassword } from '#libs/people/sign-in.ts';
import { type ConsoleContext, personOf, visitOf } from '../console-context.ts';
import { formatWait } from '../dates.ts';
import { formText } from '../form.ts';

/** What is wrong with the present password in the form; undefined where it is right. */
export async function presentPasswordProblem(
  context: ConsoleContext,
  request: Request<object>,
  response: Response,
): Promise<string | undefined> {
  const { texts, address } = visitOf(response);
  const password = formText(request.body, 'present');
  // Not a guess: it counts as no attempt.
  if (password === '') return texts.account.wrongPassword;
  const confirmed = await confirmPassword(context, personOf(response), { password, address });
  if (confirmed === 'right') return undefined;
  return confirmed === 'wrong' ? texts.account.wrongPassword : texts.signIn.wait(formatWait(texts, confirmed.waitMs));
}
