/** Serves the routes of ingress and query in one process. */
import { openHttpServer } from '#libs/http/server.ts';
import type { Service } from '#libs/runtime/service.ts';
import { openIngressRoutes } from '#services/ingress/write-handlers.ts';
import { openQueryRoutes } from '#services/query/open-query-routes.ts';

/** `opensPortLate`: only once it can serve, because other workers listen meanwhile. */
export async function openGatewayWorker(service: Service, opensPortLate: boolean): Promise<void> {
  const server = await openHttpServer(service, { submits: true, opensPortLate });
  const [writes, reads] = await Promise.all([openIngressRoutes(service, server), openQueryRoutes(service, server)]);
  await server.serve({ ...writes, ...reads });
}
