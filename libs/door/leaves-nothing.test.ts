/** What a request leaves for the collections of the young to keep: see decision 0050. */
import { connect } from 'node:net';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addKey, type Served, serve, written } from '#libs/door/testing/served.ts';

let served: Served;
beforeAll(async () => {
  const bounds = { concurrent: 1_000, patienceMs: 2_000, perSecond: 1_000_000, burst: 1_000_000 };
  served = await serve({ bounds, handlers: { readClient: ({ params }) => ({ status: 200, body: params }) } });
});
afterAll(() => served.close());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (what: { readonly type: 'minor' | 'major' }) => void;

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
}

/** So many requests down one line, each answered before this resolves. */
function ask(request: Buffer, times: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let answered = 0;
    const socket = connect(served.port, '127.0.0.1', () => {
      for (let nth = 0; nth < times; nth += 1) socket.write(request);
    });
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      answered += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
      if (answered < times) return;
      socket.destroy();
      resolve();
    });
  });
}

test('nothing of a request grows old', async () => {
  const request = written({ target: '/v1/tenants/acme/clients/ana', signer: addKey(served.ring) });
  const rounds = 20;
  const times = 200;
  const spend = async (): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      await ask(request, times);
      // What outlives two of them is old.
      collect({ type: 'minor' });
      collect({ type: 'minor' });
    }
  };
  await spend();
  collect({ type: 'major' });
  const before = oldBytes();
  await spend();
  expect((oldBytes() - before) / (rounds * times)).toBeLessThan(500);
}, 60_000);
