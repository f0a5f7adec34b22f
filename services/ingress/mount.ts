import type { Handlers } from '#libs/door/handler.ts';
import type { Front } from '#libs/front/front.ts';
import type { Service } from '#libs/process/service.ts';
import { openLocations } from '#libs/store/locations.ts';
import { openCounter } from '#libs/submission/open.ts';
import { kindOf } from '#libs/turn/kinds.ts';
import { ingressHandlers } from './ingress.ts';

/** The ingress on a front that stands, and what closes it. */
export async function mountIngress({ logger, lifecycle }: Service, front: Front): Promise<Handlers> {
  const { database } = front;
  const counter = await openCounter({ ...front, say: logger });
  lifecycle.onStop('ingress', () => counter.close());
  return ingressHandlers({ submitter: counter.submitter, database, locations: openLocations(database), kindOf });
}
