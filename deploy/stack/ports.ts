import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ListenOptions } from 'node:net';
import { join } from 'node:path';

// Below every system's range for outgoing connections: a broker that is killed and started again must find its port
// free, and a client that dials a dead port inside that range can even connect to itself.
const lowest = 15_000;
const highest = 30_000;

/** A port nobody listens on, not among those already given away. */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port between ${lowest} and ${highest}`);
}

/** On every address: a service of ours takes callers on all of them, and not every system minds one within another. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen({ port })) && (await canListen({ port, host: '127.0.0.1' }));
}

function canListen(where: ListenOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(where, () => server.close(() => resolve(true)));
  });
}

/** The ports of the last start in a folder where they are still free, so that what was noted down stays true. */
export async function portsFor<Name extends string>(
  dir: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const file = join(dir, 'ports.json');
  const last = lastPorts(file);
  const ports = { ...last };
  const taken = new Set(Object.values(last));
  for (const name of names) {
    const before = last[name];
    const port = before !== undefined && (await isFree(before)) ? before : await freePort(taken);
    ports[name] = port;
    taken.add(port);
  }
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, JSON.stringify(ports));
  return ports as Record<Name, number>;
}

function lastPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}
