/** The handlers of write routes: a request becomes a submission on the topic, and its verdict becomes the answer. */
import type { Moment } from '#libs/calendar/moment.ts';
import { BookReader } from '#libs/database/book-reader.ts';
import { type DeciderFor, emptyBook, loadBooksTimed } from '#libs/database/books.ts';
import { createLookups } from '#libs/database/immutable-lookups.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { referenceKey } from '#libs/database/references.ts';
import { findReferencesInCell } from '#libs/database/reserved-references.ts';
import type { RouteHandlers, RouteResponse, RouteResult } from '#libs/http/handler.ts';
import type { HttpServer } from '#libs/http/server.ts';
import type { Submission } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError, waitForDependency } from '#libs/runtime/dependency.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import type { Service } from '#libs/runtime/service.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import { openSubmissionClient } from '#libs/submission/open-submission-client.ts';
import type { SubmissionRequest, Submitter } from '#libs/submission/submitter.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { reportReceipts } from './receipt-batch.ts';
import {
  type LookupSources,
  newUuids,
  submissionEnvelope,
  type WriteRequest,
  type WriteRoute,
  writeRoutes,
} from './write-routes.ts';

/** What of a service and its server the write routes need. */
type IngressService = Pick<Service, 'logger'> & { readonly lifecycle: Pick<Lifecycle, 'onStop'> };
type IngressConnections = Pick<HttpServer, 'kafka' | 'schemaRegistryUrl' | 'databases' | 'redis' | 'subscriber'>;

export async function openIngressRoutes(
  { logger, lifecycle }: IngressService,
  server: IngressConnections,
): Promise<RouteHandlers> {
  const { databases, redis } = server;
  // Only Tenancies' own books are read here, for the policy that decides an application.
  const books = new BookReader({ databases, redis, deciderFor, maxCachedBytes: heapShareBytes('ingressBooks') });
  const openClient = () => openSubmissionClient({ ...server, logger });
  const client = await waitForDependency('the submission topic', openClient, logger);
  lifecycle.onStop('ingress', () => client.close());
  return writeHandlers({
    submitter: client.submitter,
    databases,
    books,
    locations: createLookups(databases, heapShareBytes('ingressLookups')),
    deciderFor,
  });
}

interface WriteContext extends LookupSources {
  readonly submitter: Submitter;
  readonly databases: PartitionDatabases;
  readonly deciderFor: DeciderFor;
}

function writeHandlers(context: WriteContext): RouteHandlers {
  const handlers = Object.entries(writeRoutes).map(([name, route]) => {
    const handle = (request: WriteRequest) =>
      route.isPreview ? preview(context, route, request) : submit(context, route, request);
    return [name, handle] as const;
  });
  return { ...Object.fromEntries(handlers), reportReceipts: (request) => reportReceipts(context.submitter, request) };
}

async function submit(context: WriteContext, route: WriteRoute, request: WriteRequest): Promise<RouteResult> {
  const digest = requestDigest({ route: request.route, params: request.params, body: request.body ?? {} });
  const reference = route.namespace === undefined ? undefined : String(request.body?.['reference']);
  const located = route.book(request, context);
  const bookId = located instanceof Promise ? await located : located;
  if (isRefusal(bookId)) {
    return (await refuseReusedReference(context, route, request, { digest, reference })) ?? bookId;
  }
  const resolved = await route.resolve?.(request, context);
  const submission: SubmissionRequest = {
    ...submissionEnvelope(request),
    operation: request.route,
    params: request.params,
    items: [
      {
        item: 0,
        bookId,
        namespace: route.namespace,
        reference,
        digest,
        // A body that the route does not read is evidence only: it need not be JSON.
        ...(request.body === undefined ? { body: '{}' } : {}),
        ids: newUuids(route.ids),
        ...(resolved === undefined ? {} : { resolved }),
      },
    ],
  };
  const results = await request.timing.measure('submit', () => context.submitter.submit(submission));
  return toRouteResult(results.get(0));
}

function toRouteResult(result: Refusal | { status: number; body: string } | undefined): RouteResponse | Refusal {
  if (result === undefined) throw new DependencyUnavailableError('verdict');
  return isRefusal(result) ? result : { status: result.status, text: result.body };
}

/** A reused reference is refused before anything else that depends on recorded data, such as a Loan that does not exist. */
async function refuseReusedReference(
  { databases }: WriteContext,
  { namespace }: WriteRoute,
  { tenancy, timing }: WriteRequest,
  { digest, reference }: { readonly digest: Buffer; readonly reference: string | undefined },
): Promise<Refusal | undefined> {
  if (namespace === undefined || reference === undefined) return undefined;
  const key = { tenantId: tenancy.id, namespace, reference };
  const found = await timing.measure('db', () => findReferencesInCell(databases, [key]));
  const recorded = found.get(referenceKey(key));
  if (recorded === undefined || recorded.digest === digest.toString('hex')) return undefined;
  return refuse('reference_reused', { recorded_id: recorded.subject });
}

/** Decides a request against the current book without recording anything. */
async function preview(context: WriteContext, route: WriteRoute, request: WriteRequest): Promise<RouteResult> {
  const { tenancy, timing, body } = request;
  const bookId = await route.book(request, context);
  if (isRefusal(bookId)) return bookId;
  const bookKey = { tenantId: tenancy.id, bookId };
  const resolved = await route.resolve?.(request, context);
  const [loaded] = await loadBooksTimed(context.databases.ofBook(bookKey), timing, context.deciderFor, [bookKey]);
  const { book } = loaded ?? emptyBook(context.deciderFor, bookKey);
  const submission: Submission = {
    ...bookKey,
    operation: request.route,
    params: request.params,
    body: body ?? {},
    digest: '',
    ids: newUuids(route.ids),
    resolved: resolved === undefined ? null : JSON.parse(resolved),
  };
  const admission = context.deciderFor(bookId).decide(book, submission, (request.receivedAt * 1_000) as Moment);
  return isRefusal(admission) ? admission : toRouteResult(admission.answer());
}
