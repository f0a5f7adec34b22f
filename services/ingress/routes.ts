import { openLocations } from '#libs/database/locations.ts';
import { BookReader } from '#libs/database/read-books.ts';
import type { RouteHandlers } from '#libs/http/handler.ts';
import type { HttpServer } from '#libs/http/server.ts';
import type { Service } from '#libs/runtime/service.ts';
import { untilThere } from '#libs/runtime/wait-for.ts';
import { openCounter } from '#libs/submission/client.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { ingressHandlers } from './ingress.ts';

/** Only Tenancies' own books are read here, for what an application is decided by. */
const mostFacts = 20_000;

/** The ingress on a front that stands, and what closes it. */
export async function mountIngress({ logger, lifecycle }: Service, front: HttpServer): Promise<RouteHandlers> {
  const { database, redis } = front;
  const books = new BookReader({ database, redis, kindOf: deciderFor, mostFacts });
  const counter = await untilThere('the log', () => openCounter({ ...front, say: logger }), logger);
  lifecycle.onStop('ingress', () => counter.close());
  return ingressHandlers({
    submitter: counter.submitter,
    database,
    books,
    locations: openLocations(database),
    kindOf: deciderFor,
  });
}
