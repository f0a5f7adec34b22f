/** Addresses that forms and links name: only paths of the console itself are followed. */

/** A path of the console with its query: never an address of another site, whatever the text says. */
export function ownPath(text: string): string {
  const base = 'http://console.invalid';
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

const firstPage = '/tenancies';

/** Where a person goes on after signing in: `next` is what was asked for before. */
export function pathAfterSignIn(next: string): string {
  return next === '' ? firstPage : ownPath(next);
}

/** `path` is that of the form, such as `/sign-in`. */
export function withNext(path: string, next: string): string {
  return next === '' || next === firstPage ? path : `${path}?next=${encodeURIComponent(next)}`;
}
