/** Takes mutations in, and nothing else: for a cell whose writes and reads scale apart. */
import { openHttpServer } from '#libs/http/server.ts';
import { runService } from '#libs/runtime/service.ts';
import { openIngress } from './routes.ts';

await runService('ingress', async (service) => {
  const front = await openHttpServer(service);
  front.serve(await openIngress(service, front));
});
