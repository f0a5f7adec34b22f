/**
 * What a caller gave, held to its shape before anything is sent: JavaScript asks no types, and what is left out unseen is
 * found out far from where it was written. What is told names the option and never says its value, which may be a secret.
 */
import { type Patience, usualPatience } from './retrying.ts';
import type { Signer } from './signing.ts';

const baseUrlIs = 'the address of the service, scheme and host alone, such as https://lending.example';
const tenantIs = 'the identifier of the Tenancy whose book is asked, such as demo';
const keyIs = 'the secret of a key, lsk_live_… or lsk_test_…, or { fp, sign } where the secret lives elsewhere';
const patienceIs = `patience is { ${Object.entries(usualPatience)
  .map(([name, ms]) => `${name}: ${ms}`)
  .join(', ')} } or a part of it, each 0 or more`;

export function baseOf(given: unknown): URL {
  const base = parsed(textOf('baseUrl', given, baseUrlIs));
  if (base === undefined) throw new TypeError(`baseUrl is no address: it is ${baseUrlIs}`);
  // It would be in the message of every request that is not answered.
  if (base.username !== '' || base.password !== '')
    throw new TypeError(`baseUrl holds a user or a password: it is ${baseUrlIs}`);
  if (base.pathname !== '/' || base.search !== '')
    throw new TypeError('baseUrl is more than the host alone: the paths that follow it begin at /v1/');
  return base;
}

export function tenantOf(given: unknown): string {
  return textOf('tenant', given, tenantIs);
}

export function keyOf(given: unknown): string | Signer {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return textOf('key', given, keyIs);
  const { fp, sign } = given as Partial<Signer>;
  if (typeof fp !== 'string') throw new TypeError(`key is an object without fp: it is ${keyIs}`);
  if (typeof sign !== 'function') throw new TypeError(`key is an object without sign: it is ${keyIs}`);
  return given as Signer;
}

export function patienceOf(given: unknown): Patience {
  if (given === undefined) return usualPatience;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${patienceIs}, not ${kindOf(given)}`);
  for (const [name, ms] of Object.entries(given)) {
    if (!Object.hasOwn(usualPatience, name)) throw new TypeError(`${patienceIs}: it knows no ${JSON.stringify(name)}`);
    // Of no number nothing is more: it would be tried for ever.
    if (typeof ms !== 'number' || !(ms >= 0)) throw new TypeError(`${patienceIs}: ${name} is none of these`);
  }
  return { ...usualPatience, ...given };
}

function textOf(name: string, given: unknown, is: string): string {
  if (given === undefined || given === null || given === '') throw new TypeError(`${name} is missing: ${is}`);
  if (typeof given !== 'string') throw new TypeError(`${name} is ${kindOf(given)}: it is ${is}`);
  return given;
}

function parsed(text: string): URL | undefined {
  try {
    const url = new URL(text);
    // localhost:8080 is read as an address of the scheme localhost.
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}

export function kindOf(given: unknown): string {
  if (given === null) return 'null';
  if (Array.isArray(given)) return 'a list';
  return typeof given === 'object' ? 'an object' : `a ${typeof given}`;
}
