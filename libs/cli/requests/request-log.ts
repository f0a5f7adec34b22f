/** Answered requests as the log of the service lists them. */
import { routes } from '#libs/api/routes.ts';
import { catalogue } from '#libs/schema/refusals.ts';
import type { LoggedRequest } from '#libs/sdk/src/contract/shapes.ts';
import type { Caller } from '../caller.ts';

export interface LogPage {
  readonly requests: readonly LoggedRequest[];
  readonly cursor?: string;
}

export type LogFilters = Readonly<Record<string, string | number | undefined>>;

export function readLogPage(caller: Pick<Caller, 'request'>, filters: LogFilters): Promise<LogPage> {
  const stated = Object.entries(filters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(stated.map(([name, value]) => [name, String(value)]));
  return caller.request<LogPage>('GET', `/requests?${query}`);
}

const codeWidth = longest(Object.keys(catalogue));
const routeWidth = longest(Object.keys(routes));

function longest(names: readonly string[]): number {
  return Math.max(...names.map(({ length }) => length));
}

/** The path is last, because it may be long, and without the Tenancy, which is the same in all. */
export function formatRequest({
  received_at,
  duration_us,
  method,
  route = 'no route',
  status,
  code = '',
  fp,
  request_id,
  target = '',
}: LoggedRequest): string {
  const time = received_at.slice(0, 23).padEnd(23);
  const took = `${(duration_us / 1_000).toFixed(1)} ms`.padStart(10);
  const path = target.replace(/^\/v1\/tenants\/[^/]+/, '');
  return `${time}Z ${took}  ${status} ${code.padEnd(codeWidth)} ${method.padEnd(6)} ${route.padEnd(routeWidth)} ${fp.slice(0, 8)}  ${request_id}  ${path}`;
}
