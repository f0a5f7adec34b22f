import { openHttpServer } from '#libs/http/server.ts';
import type { Service } from '#libs/runtime/service.ts';
import { openIngress } from '#services/ingress/routes.ts';
import { openQueryRoutes } from '#services/query/routes.ts';

/** Everything callers come for, in one process. */
export async function serveCallers(service: Service): Promise<void> {
  const front = await openHttpServer(service);
  const [writes, reads] = await Promise.all([openIngress(service, front), openQueryRoutes(service, front)]);
  front.serve({ ...writes, ...reads });
}
