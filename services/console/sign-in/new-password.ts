/** The two fields of a new password. */
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

export function newPasswordProblems({ signIn }: Texts, body: unknown): readonly string[] {
  const password = formText(body, 'password');
  return [
    ...(isAcceptablePassword(password) ? [] : [signIn.passwordShort]),
    ...(password === formText(body, 'repeated') ? [] : [signIn.passwordsDiffer]),
  ];
}
