/** The request log of the Tenancy. */
import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import { type LoggedRequest, readRequests } from '#libs/database/request-log.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { statedFilters } from './cursors.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';

export function requestReads(context: ReadContext): RouteHandlers {
  return { listRequests: (request) => listRequests(context, request) };
}

async function listRequests(
  { database, cursors }: ReadContext,
  { query, tenancy, timing }: RouteRequest<'listRequests'>,
): Promise<RouteResult> {
  const { limit, cursor, day, ...filters } = query;
  const scope = { tenantId: tenancy.id, name: 'requests', filters: statedFilters({ day, ...filters }) };
  const start = cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const before = start.position?.[0];
  const { requests, next } = await readRequests(database, timing, {
    tenantId: tenancy.id,
    filters,
    limit,
    ...(day === undefined ? {} : { day: dayOf(day) }),
    ...(before === undefined ? {} : { before: String(before) }),
  });
  const page = next === undefined ? {} : { cursor: cursors.encode(scope, [next]) };
  return { status: 200, body: { requests: requests.map(requestRow), ...page } };
}

function requestRow(request: LoggedRequest) {
  const { request_id, received_at, duration_us, caller_request_id, fp, method, route, status, code } = request;
  const { target, field, contract_version, queue_us, conn_us, db_us, derive_us, submit_us } = request;
  return {
    request_id,
    ...(caller_request_id === null ? {} : { caller_request_id }),
    received_at: formatMoment(received_at),
    duration_us,
    fp,
    method,
    ...(route === null ? {} : { route }),
    status,
    ...(code === null ? {} : { code }),
    ...(field === null ? {} : { field }),
    ...(target === null ? {} : { target }),
    ...(contract_version === null ? {} : { contract_version }),
    ...(queue_us === null ? {} : { timing: { queue_us, conn_us, db_us, derive_us, submit_us } }),
  };
}
