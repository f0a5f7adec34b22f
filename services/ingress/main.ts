/** Starts the ingress alone, for cells whose writes and reads scale separately. */
import { openHttpServer } from '#libs/http/server.ts';
import { runService } from '#libs/runtime/service.ts';
import { openIngressRoutes } from './write-handlers.ts';

await runService('ingress', async (service) => {
  const server = await openHttpServer(service, { submits: true });
  await server.serve(await openIngressRoutes(service, server));
});
