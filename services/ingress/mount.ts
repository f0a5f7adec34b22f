import type { Handlers } from '#libs/door/handler.ts';
import type { Front } from '#libs/front/front.ts';
import type { Service } from '#libs/process/service.ts';
import { kindOf } from '#libs/turn/kinds.ts';
import { openIngress } from './run.ts';

/** The ingress on a front that stands, and what closes it. */
export async function mountIngress({ logger, lifecycle }: Service, front: Front): Promise<Handlers> {
  const { log, schemaRegistryUrl, database, subscriber } = front;
  const ingress = await openIngress({ kafka: log, schemaRegistryUrl, database, subscriber, kindOf, say: logger });
  lifecycle.onStop('ingress', () => ingress.stop());
  return ingress.handlers;
}
