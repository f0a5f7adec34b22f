/** The port for those who run a service, not for its callers: alive, ready, figures. */
import type { ServerResponse } from 'node:http';
import type { Health } from './health.ts';
import { type Listening, listen } from './http.ts';
import { metrics } from './metrics.ts';

export type Figures = () => Promise<string>;
export const ownFigures: Figures = () => metrics.metrics();

export function serveOperations(health: Health, port: number, figures: Figures): Promise<Listening> {
  return listen((request, response) => {
    answer(health, figures, request.url ?? '', response).catch(() => send(response, 500, { status: 'no_figures' }));
  }, port);
}

async function answer(health: Health, figures: Figures, path: string, response: ServerResponse): Promise<void> {
  switch (path) {
    case '/livez':
      return send(response, 200, { status: 'alive' });
    case '/readyz': {
      const readiness = await health.ready();
      return send(response, readiness.status === 'ready' ? 200 : 503, readiness);
    }
    case '/metrics': {
      const text = await figures();
      response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
      return;
    }
    default:
      return send(response, 404, { status: 'no_route' });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
