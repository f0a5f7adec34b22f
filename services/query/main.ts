/** The query service: answers all reads, for cells that scale reads and writes apart. */
import { openHttpServer } from '#libs/http/server.ts';
import { runService } from '#libs/runtime/service.ts';
import { openQueryRoutes } from './open-query-routes.ts';

await runService('query', async (service) => {
  const server = await openHttpServer(service, { submits: false });
  await server.serve(await openQueryRoutes(service, server));
});
