import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { probes, type ServiceName } from './probes.ts';

let silent: Server;
const callers = new Set<Socket>();
beforeAll(async () => {
  silent = createServer((caller) => callers.add(caller.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const caller of callers) caller.destroy();
  silent.close();
});

const addresses: Readonly<Record<ServiceName, (place: string) => string>> = {
  kafka: (place) => place,
  registry: (place) => `http://${place}`,
  postgres: (place) => `postgres://lending:x@${place}/lending`,
  redis: (place) => `redis://${place}`,
};

test.each(Object.keys(addresses) as ServiceName[])(
  'a %s that takes the call and says nothing is not there',
  async (name) => {
    const place = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await expect(probes[name](addresses[name](place))).rejects.toThrow(/time|abort/i);
  },
  15_000,
);

test('a postgres that lets one in and then says nothing is not there', async () => {
  const letsIn = Buffer.from([...tell('R', [0, 0, 0, 0]), ...tell('Z', [0x49])]);
  const postgres = createServer((caller) => {
    callers.add(caller.on('error', () => undefined));
    caller.once('data', () => caller.write(letsIn));
  });
  await new Promise<void>((resolve) => postgres.listen(0, '127.0.0.1', resolve));
  try {
    const place = `127.0.0.1:${(postgres.address() as AddressInfo).port}`;
    await expect(probes.postgres(addresses.postgres(place))).rejects.toThrow('did not answer in time');
  } finally {
    postgres.close();
  }
}, 15_000);

/** A message of Postgres's protocol: its letter, its length, its body. */
function tell(letter: string, body: readonly number[]): number[] {
  return [letter.charCodeAt(0), 0, 0, 0, 4 + body.length, ...body];
}
