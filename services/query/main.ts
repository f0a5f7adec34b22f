/** Answers what is asked, and changes nothing: for a cell whose writes and reads scale apart. */
import { openFront, serveFront } from '#libs/front/front.ts';
import { runService } from '#libs/process/service.ts';
import { mountQuery } from './mount.ts';

await runService('query', async (service) => {
  const front = await openFront(service);
  await serveFront(service, front, await mountQuery(service, front));
});
