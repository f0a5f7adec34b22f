import { createLookups } from '#libs/database/immutable-lookups.ts';
import { BookReader } from '#libs/database/book-reader.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { HttpServer } from '#libs/http/server.ts';
import type { Service } from '#libs/runtime/service.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { openSubmissionClient } from '#libs/submission/client.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { ingressHandlers } from './ingress.ts';

/** Only Tenancies' own books are read here, for what an application is decided by. */
const mostFacts = 20_000;

/** The ingress on a front that stands, and what closes it. */
export async function openIngress({ logger, lifecycle }: Service, front: HttpServer): Promise<RouteHandlers> {
  const { database, redis } = front;
  const books = new BookReader({ database, redis, deciderFor: deciderFor, maxCachedFacts: mostFacts });
  const counter = await waitForDependency('the log', () => openSubmissionClient({ ...front, logger: logger }), logger);
  lifecycle.onStop('ingress', () => counter.close());
  return ingressHandlers({
    submitter: counter.submitter,
    database,
    books,
    locations: createLookups(database),
    kindOf: deciderFor,
  });
}
