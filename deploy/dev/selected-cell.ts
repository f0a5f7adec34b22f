/** `npm run lending`: the command line, with the addresses of the last `npm start` where the environment gives none. */
import { connect } from 'node:net';
import { type CommandTarget, UsageError } from '#libs/cli/command.ts';
import { exitAfterOutput, runCommandLine } from '#libs/cli/command-line.ts';
import { readEnvFile } from './dev-files.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export async function runLending(): Promise<void> {
  await runCommandLine(process.argv.slice(2), async (target, command) => {
    if (target === 'none') return;
    // After the profile has completed the environment, so that a profile wins over the last start.
    const { variables, notice } = selectCell(process.env, readEnvFile());
    Object.assign(process.env, variables);
    const serviceUrl = variables['LENDING_URL'];
    if (serviceUrl !== undefined) Object.assign(process.env, withoutProxy(process.env, serviceUrl));
    if (notice !== undefined && target === 'cell') console.error(notice);
    // The checks of doctor say themselves what does not answer.
    if (command !== 'doctor') await requireRunning(target, process.env, variables);
  });
  exitAfterOutput();
}

const requiredAddresses = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL', 'REDIS_URL'] as const;
const cellAddresses = [...requiredAddresses, 'DATABASE_OWNER_URL'] as const;
const [url, key, tenant] = ['LENDING_URL', 'LENDING_KEY', 'LENDING_TENANT'] as const;

export interface SelectedCell {
  /** The variables of the last start that complete the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where the environment names only some addresses of a cell. */
  readonly notice: string | undefined;
}

/**
 * All addresses of the cell come from the environment, or all from the last start: the database of one cell and the
 * log of another would be written to as if they were one.
 */
export function selectCell(env: Variables, lastStart: Variables): SelectedCell {
  const isSet = (name: string): boolean => isGiven(env, name);
  const named = cellAddresses.filter(isSet);
  const missing = requiredAddresses.filter((name) => !isSet(name));
  // The demo key is never sent to another URL, nor the demo Tenancy used with another key. LENDING_TENANT is no reason
  // to leave the key out: --tenant and the path of `lending call` win over it.
  const caller = isSet(url) ? [] : [url, ...(isSet(key) ? [] : [key, ...(isSet(tenant) ? [] : [tenant])])];
  const consoleUrl = isSet('CONSOLE_URL') ? [] : ['CONSOLE_URL'];
  const names = [...(named.length > 0 ? [] : [...cellAddresses, ...consoleUrl]), ...caller];
  const variables = names.flatMap((name) => {
    const value = lastStart[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    variables: Object.fromEntries(variables),
    notice:
      named.length > 0 && missing.length > 0
        ? `The environment names ${named.join(', ')}, so no address of npm start is used. Not set: ${missing.join(', ')}.`
        : undefined,
  };
}

/** An address may also be in a file. */
function isGiven(env: Variables, name: string): boolean {
  return (env[name] ?? '') !== '' || (env[`${name}_FILE`] ?? '') !== '';
}

/** Excludes the service from the proxy of the environment, where Node is configured to use one. */
export function withoutProxy(env: Variables, serviceUrl: string): Record<string, string> {
  const current = env['no_proxy'] || env['NO_PROXY'];
  if (current === '*') return {};
  const list = [...(current ? [current] : []), new URL(serviceUrl).hostname].join(',');
  return { NO_PROXY: list, no_proxy: list };
}

const variablesOf: Readonly<Record<CommandTarget, readonly string[]>> = {
  service: ['LENDING_URL'],
  cell: requiredAddresses,
  none: [],
};
const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
};
const connectTimeoutMs = 1_000;

/**
 * Fails at once where the last start no longer runs: the drivers would retry for long and then say only that they
 * cannot connect. Only addresses of the last start (`fromLastStart`) are checked.
 */
export async function requireRunning(target: CommandTarget, env: Variables, fromLastStart: Variables): Promise<void> {
  const names = variablesOf[target];
  if (names.length === 0) return;
  if (!names.some((name) => isGiven(env, name))) {
    throw new UsageError(
      `npm start is not running or not ready yet, and the environment does not set ${names.join(', ')}; start it in another terminal, or set the variables`,
    );
  }
  const hosts = names.flatMap((name) => hostsIn(fromLastStart[name]));
  // Where only one is down the command itself reports it; it may not need that one.
  if (hosts.length === 0 || !(await Promise.all(hosts.map(refusesConnection))).every(Boolean)) return;
  const listed = hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  throw new Error(
    `npm start is not running: nothing listens at ${listed}, the addresses in .data/dev.env.\nStart it in another terminal, or name another cell in the environment.`,
  );
}

type HostAndPort = { readonly host: string; readonly port: number };

/** Kafka's brokers are a list without a protocol. */
function hostsIn(address = ''): HostAndPort[] {
  if (address === '') return [];
  const urls = address.includes('://') ? [address] : address.split(',').map((broker) => `kafka://${broker}`);
  return urls.map((text) => {
    const { hostname, port, protocol } = new URL(text);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPorts[protocol]) };
  });
}

function refusesConnection({ host, port }: HostAndPort): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    const done = (isRefused: boolean): void => {
      socket.destroy();
      resolve(isRefused);
    };
    socket.once('connect', () => done(false));
    socket.once('timeout', () => done(false));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => done(code === 'ECONNREFUSED'));
  });
}
