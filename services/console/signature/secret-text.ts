/** Finds the secret of a key in a text, whole or in part. Such a text is not processed. */
const secretForm = /lsk_(?:live|test)_[A-Za-z0-9_-]/i;

export function holdsSecret(text: string): boolean {
  return secretForm.test(text);
}
