/** Each backing service is killed in turn under the running services. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ServiceName, serviceNames } from '#deploy/stack/probes.ts';
import { entryOf } from '#deploy/stack/processes.ts';
import { houseServices, readinessUrl } from '#deploy/start/house.ts';
import { type House, house } from '#test/journeys/tenant.ts';

let here: House;
beforeAll(() => {
  here = house();
});

// Whatever a test left undone: the next one begins with everything there.
afterEach(async () => {
  for (const name of serviceNames) await here.stack.start(name);
});

type Readiness = { readonly status: number; readonly missing: readonly string[] };
type Service = (typeof houseServices)[number];

async function readiness(service: Service): Promise<Readiness> {
  const answer = await fetch(readinessUrl(here.services, service));
  const { not_ready } = (await answer.json()) as { not_ready: { name: string }[] };
  return { status: answer.status, missing: not_ready.map(({ name }) => name) };
}

async function until(service: Service, status: number): Promise<readonly string[]> {
  for (const end = Date.now() + 40_000; ; ) {
    const now = await readiness(service);
    if (now.status === status) return now.missing;
    if (Date.now() > end) throw new Error(`${service} still says ${JSON.stringify(now)}`);
    await sleep(50);
  }
}

function pids(): (number | undefined)[] {
  return houseServices.map((name) => entryOf(here.services.dir, name)?.pid);
}

describe('a service whose backing service is killed', () => {
  test.each(serviceNames)(
    'names %s, goes on running, and is ready by itself when it is back',
    async (name: ServiceName) => {
      const before = pids();
      await here.stack.kill(name);
      for (const service of houseServices) expect(await until(service, 503)).toEqual([name]);
      await here.stack.start(name);
      for (const service of houseServices) await until(service, 200);
      // Every one of them is the process it was: none had to be started again.
      expect(pids()).toEqual(before);
      for (const service of houseServices) {
        expect((await fetch(`${here.services.operations[service]}/livez`)).status).toBe(200);
      }
    },
  );

  test('and is there without answering is not ready either', async () => {
    here.stack.pause('postgres');
    for (const service of houseServices) expect(await until(service, 503)).toEqual(['postgres']);
    here.stack.resume('postgres');
    for (const service of houseServices) await until(service, 200);
  });
});
