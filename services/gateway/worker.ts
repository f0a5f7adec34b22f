import { openFront, serveFront } from '#libs/front/front.ts';
import type { Service } from '#libs/process/service.ts';
import { mountIngress } from '#services/ingress/mount.ts';

/** Everything callers come for, in one process. */
export async function serveCallers(service: Service): Promise<void> {
  const front = await openFront(service);
  await serveFront(service, front, { ...(await mountIngress(service, front)) });
}
