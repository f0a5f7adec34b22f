/** The two fields of a new password. */
import { isGuessable } from '#libs/people/guessable-passwords.ts';
import { isAcceptablePassword } from '#libs/people/passwords.ts';
import { field, formText } from '../form.ts';
import type { Html } from '../html.ts';
import type { Texts } from '../texts/en.ts';

export function newPasswordFields({ signIn }: Texts): readonly Html[] {
  const newPassword = { type: 'password', autocomplete: 'new-password' } as const;
  return [
    field({ name: 'password', label: signIn.newPassword, hint: signIn.passwordHint, ...newPassword }),
    field({ name: 'repeated', label: signIn.repeatPassword, ...newPassword }),
  ];
}

/** `email` is that of the person who gets the password. */
export function newPasswordProblems({ signIn }: Texts, body: unknown, email: string): readonly string[] {
  const password = formText(body, 'password');
  const isLong = isAcceptablePassword(password);
  return [
    ...(isLong ? [] : [signIn.passwordShort]),
    ...(isLong && isGuessable(password, email) ? [signIn.passwordGuessable] : []),
    ...(password === formText(body, 'repeated') ? [] : [signIn.passwordsDiffer]),
  ];
}
