/**
 * A process that asks a door and prints, four times, how many bytes of each request grew old. One of its own, because V8 makes
 * what it saw survive old from birth: in a process that once held many requests, any request leaves itself behind.
 */
import { connect } from 'node:net';
import { getHeapSpaceStatistics } from 'node:v8';
import { addKey, serve, written } from './served.ts';

// Few at once: where the young have little room they are collected midway too, and who is still asked then is kept.
const together = 10;
const waves = 200;

const { gc: collect } = globalThis;
if (collect === undefined) throw new Error('started without --expose-gc');

const bounds = { concurrent: 1_000, patienceMs: 2_000, perSecond: 1_000_000, burst: 1_000_000 };
const served = await serve({ bounds, handlers: { readClient: ({ params }) => ({ status: 200, body: params }) } });
const request = written({ target: '/v1/tenants/acme/clients/ana', signer: addKey(served.ring) });

/** One connection, kept: what a connection itself leaves behind is not asked here. */
const line = connect(served.port, '127.0.0.1');
let missing = 0;
let answered = (): void => undefined;
line.on('data', (chunk) => {
  missing -= chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
  if (missing <= 0) answered();
});
line.on('close', () => {
  if (missing > 0) throw new Error('the connection was closed');
});

function ask(): Promise<void> {
  return new Promise((resolve) => {
    missing = together;
    answered = resolve;
    for (let nth = 0; nth < together; nth += 1) line.write(request);
  });
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
}

async function keptOfEach(): Promise<number> {
  collect?.({ type: 'major' });
  const before = oldBytes();
  for (let wave = 0; wave < waves; wave += 1) {
    await ask();
    // What outlives two of them is old.
    collect?.({ type: 'minor' });
    collect?.({ type: 'minor' });
  }
  return (oldBytes() - before) / (waves * together);
}

const kept: number[] = [];
for (let nth = 0; nth < 4; nth += 1) kept.push(await keptOfEach());
line.destroy();
await served.close();
process.stdout.write(JSON.stringify(kept));
