/** Takes mutations in, and nothing else: for a cell whose writes and reads scale apart. */
import { openFront } from '#libs/front/front.ts';
import { runService } from '#libs/process/service.ts';
import { mountIngress } from './mount.ts';

await runService('ingress', async (service) => {
  const front = await openFront(service);
  front.serve(await mountIngress(service, front));
});
