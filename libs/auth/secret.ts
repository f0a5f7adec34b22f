import { fromBase64url, toBase64url } from '#libs/auth/base64url.ts';

export type KeyEnvironment = 'live' | 'test';

/** The private half as it is shown to a person, once. */
export interface Secret {
  readonly environment: KeyEnvironment;
  readonly seed: Uint8Array;
}

const seedBytes = 32;
const form = /^lsk_(live|test)_([A-Za-z0-9_-]{43})$/;

export function formatSecret({ environment, seed }: Secret): string {
  return `lsk_${environment}_${toBase64url(seed)}`;
}

export function parseSecret(text: string): Secret | undefined {
  const [, environment, encoded] = form.exec(text) ?? [];
  if (environment === undefined || encoded === undefined) return undefined;
  const seed = fromBase64url(encoded, seedBytes);
  return seed && { environment: environment as KeyEnvironment, seed };
}
