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
  return derivedToken(browserToken, 'csrf');
}

export function isCsrfToken(browserToken: string, presented: unknown): boolean {
  return isSameToken(csrfToken(browserToken), presented);
}

/** Proves to a browser that the console itself sent it to an address that says what was done. */
export function newDoneProof(browserToken: string, what: string): string {
  return derivedToken(browserToken, `done ${what}`);
}

export function isDoneProof(browserToken: string, what: string, presented: unknown): boolean {
  return isSameToken(newDoneProof(browserToken, what), presented);
}

function derivedToken(browserToken: string, purpose: string): string {
  return createHmac('sha256', browserToken).update(purpose).digest('base64url');
}

function isSameToken(expected: string, presented: unknown): boolean {
  return isToken(presented) && timingSafeEqual(Buffer.from(expected), Buffer.from(presented));
}
