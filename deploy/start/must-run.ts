/**
 * Whether the cell of the last `npm start` is there, before a command asks anything of it: a start that was killed leaves
 * its addresses behind, and the drivers behind them would try again for long before they said no more than that.
 */
import { connect } from 'node:net';
import type { Needs } from '#libs/cli/command.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const variablesOf: Readonly<Record<Needs, readonly string[]>> = {
  service: ['LENDING_URL'],
  cell: ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL', 'REDIS_URL'],
  nobody: [],
};
const usualPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
};
const withinMs = 1_000;

/** `env` is what the command is told, `taken` what of it is from the last `npm start`: of any other cell nothing is said. */
export async function mustRun(needs: Needs, env: Variables, taken: Variables): Promise<void> {
  const names = variablesOf[needs];
  if (names.length === 0) return;
  if (names.every((name) => (env[name] ?? '') === '')) {
    throw new Error(
      `npm start is not running, or not ready yet, and the environment does not say ${names.join(', ')}.`,
    );
  }
  const places = names.flatMap((name) => placesOf(taken[name]));
  // One alone that is gone is told by the command itself, which may do without it.
  if (places.length === 0 || !(await allRefuse(places))) return;
  const listed = places.map(({ host, port }) => `${host}:${port}`).join(', ');
  throw new Error(
    `npm start is not running: nobody listens at ${listed}, as the last one left it in .data/dev.env.\nStart it in another terminal, or say in the environment which other cell is meant.`,
  );
}

type Place = { readonly host: string; readonly port: number };

/** Kafka's brokers are a list without a protocol. */
function placesOf(address = ''): Place[] {
  if (address === '') return [];
  const urls = address.includes('://') ? [address] : address.split(',').map((broker) => `kafka://${broker}`);
  return urls.map((url) => {
    const { hostname, port, protocol } = new URL(url);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usualPorts[protocol]) };
  });
}

async function allRefuse(places: readonly Place[]): Promise<boolean> {
  return (await Promise.all(places.map(refuses))).every(Boolean);
}

function refuses({ host, port }: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: withinMs });
    const done = (isRefused: boolean): void => {
      socket.destroy();
      resolve(isRefused);
    };
    socket.once('connect', () => done(false));
    socket.once('timeout', () => done(false));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => done(code === 'ECONNREFUSED'));
  });
}
