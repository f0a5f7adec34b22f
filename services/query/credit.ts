/** Credit: Decisions as they were recorded, what a person resolved, who is barred, and what is left of each Facility. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { barAnswer } from '#libs/credit/bar.ts';
import type { FacilityAnswer } from '#libs/credit/drawdown.ts';
import { resolutionAnswer } from '#libs/credit/resolution.ts';
import type { ListedRecord } from '#libs/database/locations.ts';
import { decisionsBefore, facilitiesListed } from '#libs/database/read-credit.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { clientBookId, clientOf } from '#libs/ledger/book-id.ts';
import { barsOf, facilityNamed, resolutionOf } from '#libs/ledger/client/credit.ts';
import { facilityWithDrawn } from '#libs/ledger/client/drawing.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { page, stated } from './cursors.ts';
import { type BookRequest, clientBook, type ReadContext, type RequestTo } from './reads.ts';
import { knowingOf, servedTexts } from './version-filter.ts';

export function creditReads(reads: ReadContext): RouteHandlers {
  return {
    listDecisions: (asked) => listDecisions(reads, asked),
    readDecision: (asked) => readDecision(reads, asked),
    readResolution: (asked) => readResolution(reads, asked),
    readBar: (asked) => readBar(reads, asked),
    listFacilities: (asked) => listFacilities(reads, asked),
    readFacility: (asked) => readFacility(reads, asked),
  };
}

async function listDecisions(reads: ReadContext, asked: RequestTo<'listDecisions'>): Promise<RouteResult> {
  const { tenancy, timing } = asked;
  const { client, limit, cursor } = asked.query;
  const listing = { tenantId: tenancy.id, name: 'decisions', filters: stated({ client }) };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const found = await decisionsBefore(reads.database, timing, {
    tenantId: tenancy.id,
    ...ofClient(client),
    before: Number(taken.place?.[0] ?? Number.MAX_SAFE_INTEGER),
    most: limit + 1,
  });
  const { items, cursor: next } = page(found, limit, ({ number }) => reads.cursors.give(listing, [number]));
  const rest = next.cursor === undefined ? '' : `,"cursor":${JSON.stringify(next.cursor)}`;
  // What the caller's version does not know is left out of the page, which may be short then.
  const served = servedTexts(
    knowingOf(reads.contract, asked),
    items.map(({ row }) => row),
  );
  return { status: 200, text: `{"decisions":[${served.join(',')}]${rest}}` };
}

/** As it was recorded: no book is asked. */
async function readDecision(reads: ReadContext, asked: RequestTo<'readDecision'>): Promise<RouteResult> {
  const listed = await decisionListed(reads, asked);
  if (listed === undefined) return refuse('not_found');
  return { status: 200, text: listed.row };
}

async function readResolution(reads: ReadContext, asked: RequestTo<'readResolution'>): Promise<RouteResult> {
  const listed = await decisionListed(reads, asked);
  const clientId = listed === undefined ? undefined : clientOf(listed.bookId);
  if (clientId === undefined) return refuse('not_found');
  const { credit } = await clientBook(reads, asked, clientId);
  const resolution = resolutionOf(credit, String(asked.params['decision_id']));
  if (resolution === undefined) return refuse('not_found');
  return { status: 200, body: resolutionAnswer(resolution.recorded, resolution.at) };
}

function decisionListed(
  { locations }: ReadContext,
  { tenancy, timing, params }: BookRequest,
): Promise<ListedRecord | undefined> {
  return locations.decision.of(tenancy.id, String(params['decision_id']).toLowerCase(), timing);
}

async function readBar(reads: ReadContext, asked: RequestTo<'readBar'>): Promise<RouteResult> {
  const { on, known_at } = asked.query;
  const { credit } = await clientBook(reads, asked, String(asked.params['client_id']), known_at);
  const body = await asked.timing.measure('derive', () => barAnswer(barsOf(credit), dayOf(on)));
  return { status: 200, body };
}

/** Newest first. A line is superseded by one of the same Client, so that both are in whatever list holds the one. */
async function listFacilities(reads: ReadContext, asked: RequestTo<'listFacilities'>): Promise<RouteResult> {
  const { tenancy, timing } = asked;
  const found = await facilitiesListed(reads.database, timing, {
    tenantId: tenancy.id,
    ...ofClient(asked.query.client),
  });
  const facilities = found.map(({ row }) => JSON.parse(row) as FacilityAnswer);
  const newer = new Map(
    facilities.flatMap(({ id, supersedes }) => (supersedes === undefined ? [] : [[supersedes, id]])),
  );
  const answered = facilities.map(({ created_at, ...facility }) => {
    const superseding = newer.get(facility.id);
    return { ...facility, ...(superseding === undefined ? {} : { superseded_by: superseding }), created_at };
  });
  return { status: 200, body: { facilities: answered } };
}

async function readFacility(reads: ReadContext, asked: RequestTo<'readFacility'>): Promise<RouteResult> {
  const { tenancy, timing, params } = asked;
  const id = String(params['facility_id']).toLowerCase();
  const listed = await reads.locations.facility.of(tenancy.id, id, timing);
  const clientId = listed === undefined ? undefined : clientOf(listed.bookId);
  if (clientId === undefined) return refuse('not_found');
  const book = await clientBook(reads, asked, clientId);
  const facility = facilityNamed(book.credit, id);
  if (facility === undefined) return refuse('not_found');
  return { status: 200, body: await timing.measure('derive', () => facilityWithDrawn(book, facility)) };
}

function ofClient(client: string | undefined): { readonly bookId?: string } {
  return client === undefined ? {} : { bookId: clientBookId(client) };
}
