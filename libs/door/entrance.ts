import type { RequestListener } from 'node:http';
import express from 'express';
import type { Door } from './door.ts';

/**
 * The two ways to the door, which answers alike on both. Express carries the pages that are open to all, and does nothing of
 * its own: no route, no header, no error page. What a Tenancy asks goes to the door at once: Express gives each request
 * another prototype, and that costs more than the whole of its routing.
 */
export function entranceTo(door: Door): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(door.handle);
  return (request, response) => {
    if (request.url?.startsWith(ofTenancies) === true) door.handle(request, response);
    else app(request, response);
  };
}

const ofTenancies = '/v1/tenants/';
