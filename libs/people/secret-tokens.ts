/** Random tokens of links, sessions and sign-ins that are not complete. The database holds only their SHA-256: they cannot be used to sign in. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

export function isToken(text: unknown): text is string {
  return typeof text === 'string' && tokenForm.test(text);
}

export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The CSRF token of a browser, derived from the token in its cookie: nothing else has to be stored. */
export function csrfToken(browserToken: string): string {
  return createHmac('sha256', browserToken).update('csrf').digest('base64url');
}

export function isCsrfToken(browserToken: string, presented: unknown): boolean {
  if (!isToken(presented)) return false;
  return timingSafeEqual(Buffer.from(csrfToken(browserToken)), Buffer.from(presented));
}
