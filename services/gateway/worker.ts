/** Serves the routes of ingress and query in one process. */
import { openHttpServer } from '#libs/http/server.ts';
import type { Service } from '#libs/runtime/service.ts';
import { openIngressRoutes } from '#services/ingress/write-handlers.ts';
import { openQueryRoutes } from '#services/query/open-query-routes.ts';

/** `isReplacement`: whether other workers already serve the port. */
export async function openGatewayWorker(service: Service, isReplacement: boolean): Promise<void> {
  const server = await openHttpServer(service, { submits: true, sharesOpenPort: isReplacement });
  const [writes, reads] = await Promise.all([openIngressRoutes(service, server), openQueryRoutes(service, server)]);
  await server.serve({ ...writes, ...reads });
}
