/**
 * A process that asks a door and prints, four times, how many bytes of each request grew old. One of its own, because V8 makes
 * what it saw survive old from birth: where a small young generation once held many requests, any request leaves itself behind.
 * Started with room for the old, or V8 collects them midway and takes away what is asked about.
 */
import { connect } from 'node:net';
import { getHeapSpaceStatistics } from 'node:v8';
import { addKey, serve, written } from './served.ts';

// Few at once: where the young have little room they are collected midway too, and who is still asked then is kept.
const together = 10;
const waves = 200;

function collect(type: 'minor' | 'major'): void {
  if (globalThis.gc === undefined) throw new Error('started without --expose-gc');
  globalThis.gc({ type });
}

const bounds = { concurrent: 1_000, patienceMs: 2_000, perSecond: 1_000_000, burst: 1_000_000 };
const served = await serve({ bounds, handlers: { readClient: ({ params }) => ({ status: 200, body: params }) } });
const request = written({ target: '/v1/tenants/acme/clients/ana', signer: addKey(served.ring) });

/** One connection, kept: what a connection itself leaves behind is not asked here. */
const line = connect(served.port, '127.0.0.1');
let missing = 0;
let answered = (): void => undefined;
line.on('data', (chunk) => {
  const text = chunk.toString('latin1');
  const answers = timesIn(text, 'HTTP/1.1 ');
  if (timesIn(text, 'HTTP/1.1 200') !== answers) throw new Error(text);
  missing -= answers;
  if (missing <= 0) answered();
});
line.on('close', () => {
  if (missing > 0) throw new Error('the connection was closed');
});

// No regular expression: V8 keeps what the last one looked at.
function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}

function ask(): Promise<void> {
  return new Promise((resolve) => {
    missing = together;
    answered = resolve;
    for (let nth = 0; nth < together; nth += 1) line.write(request);
  });
}

function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  if (old === undefined) throw new Error('no space is called old');
  return old.space_used_size;
}

async function keptOfEach(): Promise<number> {
  collect('major');
  const before = oldBytes();
  for (let wave = 0; wave < waves; wave += 1) {
    await ask();
    // What outlives two of them is old.
    collect('minor');
    collect('minor');
  }
  return (oldBytes() - before) / (waves * together);
}

const kept: number[] = [];
for (let nth = 0; nth < 4; nth += 1) kept.push(await keptOfEach());
line.destroy();
await served.close();
process.stdout.write(JSON.stringify(kept));
