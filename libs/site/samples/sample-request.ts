/** A request that samples show: an operation of the document with the values of its recorded example. */
import type { Example } from '#libs/api/openapi/document.ts';
import type { Method } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { Json } from '#libs/schema/json.ts';

export interface SampleRequest {
  readonly operation: RouteName;
  readonly method: Method;
  /** From the root, with all values. */
  readonly target: string;
  /** The target below the Tenancy. */
  readonly path: string;
  readonly tenant: string;
  /** The parameters of path and query, by name. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly body?: Json;
}

export function sampleRequest(
  operation: RouteName,
  { params, query, body }: Pick<Example, 'params' | 'query' | 'body'>,
  tenant = 'demo',
): SampleRequest {
  const { method, path: template } = routes[operation];
  const prefix = '/v1/tenants/{tenant_id}';
  const named = template
    .slice(prefix.length)
    .replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const path = query === undefined ? named : `${named}?${query}`;
  return {
    operation,
    method,
    path,
    target: `/v1/tenants/${tenant}${path}`,
    tenant,
    parameters: { ...params, ...queryParameters(query) },
    ...(body === undefined ? {} : { body }),
  };
}

/** Whole numbers are numbers in the SDK's types. */
function queryParameters(query = ''): Readonly<Record<string, string | number>> {
  const entries = [...new URLSearchParams(query)];
  return Object.fromEntries(entries.map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]));
}
