/** Takes a mutation from the door to the log, and its verdict back to the caller. */

import type { RouteName } from '#libs/api/routes.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { type DeciderFor, emptyBook, loadBooksTimed } from '#libs/database/books.ts';
import { type Database, withConnection } from '#libs/database/database.ts';
import { findReferences, referenceKey } from '#libs/database/references.ts';
import type { RouteHandlers, RouteResponse, RouteResult } from '#libs/http/handler.ts';
import type { Submission } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import type { SubmissionRequest, Submitter } from '#libs/submission/submitter.ts';
import { reportReceipts } from './receipt-batch.ts';
import { submissionEnvelope, newUuids } from './submission-envelope.ts';
import { type WriteRequest, type LookupSources, type WriteRoute, writeRoutes } from './write-routes.ts';

export interface IngressOptions extends LookupSources {
  readonly submitter: Submitter;
  readonly database: Database;
  readonly kindOf: DeciderFor;
}

export function ingressHandlers(options: IngressOptions): RouteHandlers {
  const handlers: { [name: string]: (asked: WriteRequest) => Promise<RouteResult> } = {
    reportReceipts: (asked) => reportReceipts(options.submitter, asked),
  };
  for (const [name, mutation] of Object.entries(writeRoutes) as [RouteName, WriteRoute][]) {
    handlers[name] =
      mutation.consults === true
        ? (asked) => consult(options, mutation, asked)
        : (asked) => submit(options, mutation, asked);
  }
  return handlers as RouteHandlers;
}

async function submit(options: IngressOptions, mutation: WriteRoute, asked: WriteRequest): Promise<RouteResult> {
  const { submitter } = options;
  const { timing } = asked;
  const digest = requestDigest({ route: asked.route, params: asked.params, body: asked.body ?? {} });
  const reference = mutation.namespace === undefined ? undefined : String(asked.body?.['reference']);
  const found = mutation.book(asked, options);
  const bookId = found instanceof Promise ? await found : found;
  if (isRefusal(bookId)) return unlessReused(options, mutation, asked, { digest, reference, absent: bookId });
  const resolved = mutation.resolve === undefined ? undefined : await mutation.resolve(asked, options);
  const request: SubmissionRequest = {
    ...submissionEnvelope(asked),
    operation: asked.route,
    params: asked.params,
    items: [
      {
        item: 0,
        bookId,
        namespace: mutation.namespace,
        reference,
        digest,
        // Of a body that the route does not read nothing is known: it travels as evidence and is no JSON to anyone.
        ...(asked.body === undefined ? { body: '{}' } : {}),
        ids: newUuids(mutation.ids),
        ...(resolved === undefined ? {} : { resolved }),
      },
    ],
  };
  const outcomes = await timing.measure('db', () => submitter.submit(request));
  return rendered(outcomes.get(0));
}

function rendered(outcome: Refusal | { status: number; body: string } | undefined): RouteResponse | Refusal {
  if (outcome === undefined) throw new DependencyUnavailableError('verdict');
  return isRefusal(outcome) ? outcome : { status: outcome.status, text: outcome.body };
}

/** A recorded reference is looked up before anything else that is recorded, the absence of what the path names included. */
async function unlessReused(
  { database }: IngressOptions,
  { namespace }: WriteRoute,
  { tenancy, timing }: WriteRequest,
  { digest, reference, absent }: { digest: Buffer; reference: string | undefined; absent: Refusal },
): Promise<Refusal> {
  if (namespace === undefined || reference === undefined) return absent;
  const name = { tenantId: tenancy.id, namespace, reference };
  const found = await withConnection(database, timing, (on) => findReferences(on, [name]));
  const recorded = found.get(referenceKey(name));
  if (recorded === undefined || recorded.digest === digest.toString('hex')) return absent;
  return refuse('reference_reused', { recorded_id: recorded.subject });
}

/** Decided by the book as it stands now, every check in its order; nothing is recorded. */
async function consult(options: IngressOptions, mutation: WriteRoute, asked: WriteRequest): Promise<RouteResult> {
  const { database, kindOf } = options;
  const { tenancy, timing, body } = asked;
  const bookId = await mutation.book(asked, options);
  if (isRefusal(bookId)) return bookId;
  const name = { tenantId: tenancy.id, bookId };
  const resolved = await mutation.resolve?.(asked, options);
  const [standing] = await loadBooksTimed(database, timing, kindOf, [name]);
  const { book } = standing ?? emptyBook(kindOf, name);
  const submission: Submission = {
    ...name,
    operation: asked.route,
    params: asked.params,
    body: (body ?? {}) as JsonObject,
    digest: '',
    ids: newUuids(mutation.ids),
    resolved: resolved === undefined ? null : JSON.parse(resolved),
  };
  const decided = kindOf(bookId).decide(book, submission, (asked.receivedAt * 1_000) as Moment);
  return isRefusal(decided) ? decided : rendered(decided.answer());
}
