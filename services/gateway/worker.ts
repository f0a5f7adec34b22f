/** Serves the routes of ingress and query in one process. */
import { openHttpServer } from '#libs/http/server.ts';
import type { Service } from '#libs/runtime/service.ts';
import { openIngressRoutes } from '#services/ingress/write-handlers.ts';
import { openQueryRoutes } from '#services/query/open-query-routes.ts';

export async function openGatewayWorker(service: Service): Promise<void> {
  const server = await openHttpServer(service, { submits: true });
  const [writes, reads] = await Promise.all([openIngressRoutes(service, server), openQueryRoutes(service, server)]);
  server.serve({ ...writes, ...reads });
}
