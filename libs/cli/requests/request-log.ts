/** Answered requests as the log of the service lists them. */
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

export function formatRequest({
  received_at,
  duration_us,
  method,
  route = 'no route',
  status,
  code = '',
  fp,
  request_id,
}: LoggedRequest): string {
  const time = received_at.slice(0, 23).padEnd(23);
  const took = `${(duration_us / 1_000).toFixed(1)} ms`.padStart(10);
  return `${time}Z ${took}  ${status} ${code.padEnd(20)} ${method.padEnd(6)} ${route.padEnd(24)} ${fp.slice(0, 8)}  ${request_id}`;
}
