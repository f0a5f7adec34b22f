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

/** One connection, kept: what a connection itself leaves behind is not asked here. */
class Line {
  readonly #socket = connect(served.port, '127.0.0.1');
  #missing = 0;
  #answered = (): void => undefined;
  #closed = (): void => undefined;

  constructor() {
    this.#socket.on('error', () => undefined).on('close', () => this.#closed());
    this.#socket.on('data', (chunk) => {
      this.#missing -= chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
      if (this.#missing <= 0) this.#answered();
    });
  }

  /** So many requests one after the other, each answered before this resolves. */
  ask(request: Buffer, times: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#missing = times;
      this.#answered = resolve;
      this.#closed = () => reject(new Error('the connection was closed'));
      for (let nth = 0; nth < times; nth += 1) this.#socket.write(request);
    });
  }

  end(): void {
    this.#socket.destroy();
  }
}

test('nothing of a request grows old', async () => {
  const request = written({ target: '/v1/tenants/acme/clients/ana', signer: addKey(served.ring) });
  const line = new Line();
  const waves = 200;
  // Few at once: where the young have little room they are collected midway too, and who is still asked then is kept.
  const together = 10;
  const keptOfEach = async (): Promise<number> => {
    collect({ type: 'major' });
    const before = oldBytes();
    for (let wave = 0; wave < waves; wave += 1) {
      await line.ask(request, together);
      // What outlives two of them is old.
      collect({ type: 'minor' });
      collect({ type: 'minor' });
    }
    return (oldBytes() - before) / (waves * together);
  };
  const kept: number[] = [];
  // A habit shows every time; code that is compiled, and what else this process does, now and then.
  for (let nth = 0; nth < 4; nth += 1) kept.push(await keptOfEach());
  line.end();
  expect(Math.min(...kept)).toBeLessThan(500);
}, 60_000);
