/** The options a route was called with; a body in their place is one that an address was put before. */
import type { Options } from './contract/routes.ts';
import { kindOf } from './given-options.ts';
import type { Addressed } from './targets.ts';

const optionNames: Readonly<Record<keyof Options, true>> = {
  callerRequestId: true,
  idempotencyKey: true,
  ifNoneMatch: true,
  signal: true,
};
const optionsAre = `they are { ${Object.keys(optionNames).join(', ')} }`;

export function optionsOf(name: string, route: Addressed & { readonly method: string }, body: unknown, given: unknown) {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`the options of ${name} are ${kindOf(given)}: ${optionsAre}`);
  const unknown = Object.keys(given).find((each) => !Object.hasOwn(optionNames, each));
  if (unknown === undefined) return given as Options;
  if (route.method !== 'GET' && !hasAddress(route) && isNothing(body))
    throw new TypeError(`${name} has nothing in its address: its body comes first, then its options, not an address`);
  throw new TypeError(`${name} knows no option ${JSON.stringify(unknown)}: ${optionsAre}`);
}

/** Whether the caller gives anything of it by name; the Tenancy is the client's. */
function hasAddress({ path, query }: Addressed): boolean {
  return query.length > 0 || path.replace('{tenant_id}', '').includes('{');
}

function isNothing(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);
}
