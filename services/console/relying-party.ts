/** The site that passkeys are bound to. Browsers know none for an address of numbers. */
import { isIP } from 'node:net';
import type { Request } from 'express';
import type { RelyingParty } from '#libs/people/passkeys.ts';
import type { ConsoleContext } from './console-context.ts';

/** That of `CONSOLE_URL`; without it there is one on this machine alone, at `localhost`. */
export function relyingPartyOf({ url }: ConsoleContext, request: Request): RelyingParty | undefined {
  if (url !== undefined) {
    const { hostname, origin } = new URL(url);
    return isIP(hostname) === 0 && !hostname.startsWith('[') ? { id: hostname, origin } : undefined;
  }
  const address = `${request.protocol}://${request.get('Host')}`;
  const { hostname, origin } = new URL(URL.canParse(address) ? address : 'http://none.invalid');
  return hostname === 'localhost' ? { id: hostname, origin } : undefined;
}
