/** Answers what is asked, and changes nothing: for a cell whose writes and reads scale apart. */
import { openHttpServer } from '#libs/http/server.ts';
import { runService } from '#libs/runtime/service.ts';
import { mountQuery } from './mount.ts';

await runService('query', async (service) => {
  const front = await openHttpServer(service);
  front.serve(await mountQuery(service, front));
});
