import { createServer } from 'node:net';

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

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
