import { openHttpServer } from '#libs/http/server.ts';
import type { Service } from '#libs/runtime/service.ts';
import { mountIngress } from '#services/ingress/routes.ts';
import { mountQuery } from '#services/query/mount.ts';

/** Everything callers come for, in one process. */
export async function serveCallers(service: Service): Promise<void> {
  const front = await openHttpServer(service);
  const [writes, reads] = await Promise.all([mountIngress(service, front), mountQuery(service, front)]);
  front.serve({ ...writes, ...reads });
}
