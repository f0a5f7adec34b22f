/** The port for operators: `/livez`, `/readyz` and `/metrics`. */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Health } from './health.ts';
import { type HttpListener, listen } from './http-listener.ts';
import { metrics } from './metrics-registry.ts';

export type MetricsSource = () => Promise<string>;
export const ownMetrics: MetricsSource = () => metrics.metrics();

export interface OperationsAddress {
  readonly host: string;
  readonly metricsPort: number;
}

export function serveOperations(
  health: Health,
  { host, metricsPort }: OperationsAddress,
  source: MetricsSource,
): Promise<HttpListener> {
  const listener: RequestListener = (request, response) => {
    answer(health, source, request.url ?? '', response).catch(() => send(response, 500, { status: 'no_figures' }));
  };
  return listen(listener, { host, port: metricsPort });
}

async function answer(health: Health, source: MetricsSource, path: string, response: ServerResponse): Promise<void> {
  switch (path) {
    case '/livez':
      return send(response, 200, { status: 'alive' });
    case '/readyz': {
      const readiness = await health.readiness();
      return send(response, readiness.status === 'ready' ? 200 : 503, readiness);
    }
    case '/metrics': {
      const text = await source();
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
