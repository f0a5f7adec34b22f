/**
 * Checks the options of a client before anything is sent, for callers without types. What is left out is read from the
 * environment. A message names the option and never shows its value, which may be a secret.
 */
import { defaultPatience, type Patience } from './retry.ts';
import { type Signer, seedOf } from './signing.ts';

const baseUrlFormat = 'the address of the service, scheme and host alone, such as https://lending.example';
const tenantFormat = 'the identifier of the Tenancy, such as demo: 1 to 64 letters, digits, - and _';
const tenantPattern = /^[A-Za-z0-9_-]{1,64}$/;
const keyFormat = 'the secret of a key, lsk_live_… or lsk_test_…, or { fp, sign } for a secret that is kept elsewhere';
const patienceFormat = `expected { ${Object.entries(defaultPatience)
  .map(([name, ms]) => `${name}: ${ms}`)
  .join(', ')} } or a part of it, each 0 or more`;

export function parseBaseUrl(value: unknown): URL {
  const base = parseUrl(parseText('baseUrl', 'LENDING_URL', value, baseUrlFormat));
  if (base === undefined) throw new TypeError(`baseUrl is not a URL; expected ${baseUrlFormat}`);
  // It would appear in the message of every failed request.
  if (base.username !== '' || base.password !== '')
    throw new TypeError(`baseUrl has a user or a password; expected ${baseUrlFormat}`);
  if (base.pathname !== '/' || base.search !== '')
    throw new TypeError(`baseUrl has a path or a query; expected ${baseUrlFormat}`);
  return base;
}

export function parseTenant(value: unknown): string {
  const tenant = parseText('tenant', 'LENDING_TENANT', value, tenantFormat);
  if (!tenantPattern.test(tenant)) throw new TypeError(`tenant is not an identifier; expected ${tenantFormat}`);
  return tenant;
}

export function parseKey(value: unknown): string | Signer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const secret = parseText('key', 'LENDING_KEY', value, keyFormat);
    if (seedOf(secret) === undefined)
      throw new TypeError(`key is not the secret of a lending key; expected ${keyFormat}`);
    return secret;
  }
  const { fp, sign } = value as Partial<Signer>;
  if (typeof fp !== 'string') throw new TypeError(`key is an object without fp; expected ${keyFormat}`);
  if (typeof sign !== 'function') throw new TypeError(`key is an object without sign; expected ${keyFormat}`);
  return value as Signer;
}

export function parsePatience(value: unknown): Patience {
  if (value === undefined) return defaultPatience;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`patience is ${describeType(value)}; ${patienceFormat}`);
  for (const [name, ms] of Object.entries(value)) {
    if (!Object.hasOwn(defaultPatience, name))
      throw new TypeError(`patience has an unknown member ${JSON.stringify(name)}; ${patienceFormat}`);
    // NaN would never be reached, and the retries would not end.
    if (typeof ms !== 'number' || !(ms >= 0))
      throw new TypeError(`patience.${name} is not a number of 0 or more; ${patienceFormat}`);
  }
  return { ...defaultPatience, ...value };
}

function parseText(name: string, variable: string, stated: unknown, format: string): string {
  const value = stated ?? fromEnvironment(variable) ?? '';
  if (value === '') throw new TypeError(`${name} is missing; set it or ${variable}: ${format}`);
  if (typeof value !== 'string') throw new TypeError(`${name} is ${describeType(value)}; expected ${format}`);
  return value;
}

/** Undefined in a browser, which has no environment. */
function fromEnvironment(variable: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[variable];
}

function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    // `localhost:8080` parses as a URL with the scheme localhost.
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}

export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
