/** Checks the options of a call, for callers without types. */

import { describeType } from './client-options.ts';
import type { Options } from './contract/routes.ts';
import type { RouteAddress } from './request-target.ts';

const optionNames: Readonly<Record<keyof Options, true>> = {
  callerRequestId: true,
  idempotencyKey: true,
  ifNoneMatch: true,
  signal: true,
};
const optionsFormat = `expected { ${Object.keys(optionNames).join(', ')} }`;

export function checkRouteOptions(
  name: string,
  route: RouteAddress & { readonly method: string },
  body: unknown,
  options: unknown,
) {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`the options of ${name} are ${describeType(options)}; ${optionsFormat}`);
  const unknown = Object.keys(options).find((each) => !Object.hasOwn(optionNames, each));
  if (unknown === undefined) return options as Options;
  if (route.method !== 'GET' && !hasAddress(route) && isEmptyBody(body))
    throw new TypeError(`${name} has no parameters in its path; pass its body first, then its options`);
  throw new TypeError(`${name} has no option ${JSON.stringify(unknown)}; ${optionsFormat}`);
}

/** Whether the caller passes parameters for the path or query; the Tenancy is known to the client. */
function hasAddress({ path, query }: RouteAddress): boolean {
  return query.length > 0 || path.replace('{tenant_id}', '').includes('{');
}

function isEmptyBody(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0);
}
