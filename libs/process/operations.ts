/** The paths for those who run a service, not for its callers: alive, ready, figures. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Health } from './health.ts';
import { type Listening, listen } from './http.ts';
import { metrics } from './metrics.ts';

/** Answers /livez and /readyz; false where the request is for somebody else. */
export function answerProbe(health: Health, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (request.url === '/livez') {
    send(response, 200, { status: 'alive' });
    return true;
  }
  if (request.url === '/readyz') {
    void health.ready().then((readiness) => send(response, readiness.status === 'ready' ? 200 : 503, readiness));
    return true;
  }
  return false;
}

/** Before a service's own handler, so that being asked after one's health passes no signature check and no bound. */
export function withProbes(health: Health, handle: RequestListener): RequestListener {
  return (request, response) => {
    if (!answerProbe(health, request, response)) handle(request, response);
  };
}

export type Figures = () => Promise<string>;
export const ownFigures: Figures = () => metrics.metrics();

/** The separate port: figures are for the house, and a service without callers can be asked after its health as well. */
export function serveOperations(health: Health, port: number, figures: Figures): Promise<Listening> {
  return listen(
    withProbes(health, (request, response) => {
      if (request.url !== '/metrics') return send(response, 404, { status: 'no_route' });
      figures().then(
        (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
        () => send(response, 500, { status: 'no_figures' }),
      );
    }),
    port,
  );
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
