/** Reads about credit: Decisions as they were recorded, their resolutions, bars, and Facilities with what is drawn. */

import { requestedVersion } from '#libs/api/apply-contract-changes.ts';
import { withoutUnknownMembers } from '#libs/api/closed-members.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { barAnswer } from '#libs/credit/bar.ts';
import type { FacilityAnswer } from '#libs/credit/drawdown.ts';
import { resolutionAnswer } from '#libs/credit/resolution.ts';
import type { ListedRecord } from '#libs/database/immutable-lookups.ts';
import { readDecisionsBefore, readFacilities } from '#libs/database/read-client-and-credit-pages.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { clientBookId, clientIdOf } from '#libs/ledger/book-id.ts';
import { barsOf, findFacility, findResolution } from '#libs/ledger/client/credit-records.ts';
import { facilityWithUse } from '#libs/ledger/client/facility-drawdown.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { listingPosition, statedFilters } from './cursors.ts';
import { jsonPage, pageResponse } from './json-page.ts';
import { type BookRequest, loadClientBook, type ReadContext, type RouteRequest } from './read-context.ts';

export function creditReads(context: ReadContext): RouteHandlers {
  return {
    listDecisions: (request) => listDecisions(context, request),
    readDecision: (request) => readDecision(context, request),
    readResolution: (request) => readResolution(context, request),
    readBar: (request) => readBar(context, request),
    listFacilities: (request) => listFacilities(context, request),
    readFacility: (request) => readFacility(context, request),
  };
}

/** Decisions that the caller's version does not know are left out, so a page may be short. */
async function listDecisions(context: ReadContext, request: RouteRequest<'listDecisions'>): Promise<RouteResult> {
  const { tenancy, timing } = request;
  const { client, limit, cursor } = request.query;
  const scope = { tenantId: tenancy.id, name: 'decisions', filters: statedFilters({ client }) };
  const start = context.cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const decisions = await readDecisionsBefore(context.databases, timing, {
    tenantId: tenancy.id,
    ...ofClient(client),
    from: listingPosition(start.position),
    limit: limit + 1,
  });
  const { texts, cursor: next } = jsonPage(decisions, {
    limit,
    found: decisions[0]?.found,
    textOf: ({ content }) => content,
    cursorAfter: ({ position }) => context.cursors.encode(scope, position),
  });
  const known = withoutUnknownMembers(requestedVersion(context.contract, request), texts);
  return pageResponse('decisions', { texts: known, cursor: next });
}

async function readDecision(context: ReadContext, request: RouteRequest<'readDecision'>): Promise<RouteResult> {
  const decision = await findDecision(context, request);
  return decision === undefined ? refuse('not_found') : { status: 200, text: decision.row };
}

async function readResolution(context: ReadContext, request: RouteRequest<'readResolution'>): Promise<RouteResult> {
  const decision = await findDecision(context, request);
  const clientId = decision === undefined ? undefined : clientIdOf(decision.bookId);
  if (clientId === undefined) return refuse('not_found');
  const { credit } = await loadClientBook(context, request, clientId);
  const resolution = findResolution(credit, String(request.params['decision_id']));
  if (resolution === undefined) return refuse('not_found');
  return { status: 200, body: resolutionAnswer(resolution.recorded, resolution.at) };
}

function findDecision(
  { lookups }: ReadContext,
  { tenancy, timing, params }: BookRequest,
): Promise<ListedRecord | undefined> {
  return lookups.decision.find(tenancy.id, String(params['decision_id']).toLowerCase(), timing);
}

async function readBar(context: ReadContext, request: RouteRequest<'readBar'>): Promise<RouteResult> {
  const { on, known_at } = request.query;
  const { credit } = await loadClientBook(context, request, String(request.params['client_id']), known_at);
  const body = await request.timing.measure('derive', () => barAnswer(barsOf(credit), dayOf(on)));
  return { status: 200, body };
}

/** Newest first. A Facility and the one that supersedes it are of the same Client, so a list has both or neither. */
async function listFacilities(context: ReadContext, request: RouteRequest<'listFacilities'>): Promise<RouteResult> {
  const { tenancy, timing } = request;
  const rows = await readFacilities(context.databases, timing, {
    tenantId: tenancy.id,
    ...ofClient(request.query.client),
  });
  const facilities = rows.map(({ row }) => JSON.parse(row) as FacilityAnswer);
  const successors = new Map(
    facilities.flatMap(({ id, supersedes }) => (supersedes === undefined ? [] : [[supersedes, id]])),
  );
  const answers = facilities.map(({ created_at, ...facility }) => {
    const successor = successors.get(facility.id);
    return { ...facility, ...(successor === undefined ? {} : { superseded_by: successor }), created_at };
  });
  return { status: 200, body: { facilities: answers } };
}

async function readFacility(context: ReadContext, request: RouteRequest<'readFacility'>): Promise<RouteResult> {
  const { tenancy, timing, params } = request;
  const id = String(params['facility_id']).toLowerCase();
  const recorded = await context.lookups.facility.find(tenancy.id, id, timing);
  const clientId = recorded === undefined ? undefined : clientIdOf(recorded.bookId);
  if (clientId === undefined) return refuse('not_found');
  const book = await loadClientBook(context, request, clientId);
  const facility = findFacility(book.credit, id);
  if (facility === undefined) return refuse('not_found');
  return { status: 200, body: await timing.measure('derive', () => facilityWithUse(book, facility)) };
}

function ofClient(client: string | undefined): { readonly bookId?: string } {
  return client === undefined ? {} : { bookId: clientBookId(client) };
}
