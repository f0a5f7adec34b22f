import type { RequestListener } from 'node:http';
import express from 'express';
import type { RequestPipeline } from './request-pipeline.ts';

/**
 * The two ways to the door. Express carries what is open to all, and does nothing of its own: no route, no header, and no
 * page for a target it cannot parse. What a Tenancy asks goes to the door at once: Express gives each request another
 * prototype, and that costs more than all of its routing.
 */
export function entranceTo(door: RequestPipeline): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(door.handle);
  const carried = app as unknown as (...asked: [...Parameters<RequestListener>, () => void]) => void;
  return (request, response) => {
    if (request.url?.startsWith(ofTenancies) === true) door.handle(request, response);
    else carried(request, response, () => door.handle(request, response));
  };
}

const ofTenancies = '/v1/tenants/';
