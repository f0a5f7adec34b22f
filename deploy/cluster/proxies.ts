/**
 * A process of TCP proxies. A server can be isolated: its connections stay open and no data passes, as in a network
 * that drops packets. One route follows the primary of Postgres.
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProxyConfiguration, ProxyRoute } from './proxy-routes.ts';

const targetPollMs = 100;
const primaryPollMs = 500;
const primaryTimeoutMs = 1_000;

class Connection {
  readonly #caller: Socket;
  readonly #server: Socket;

  constructor(caller: Socket, port: number, isCut: boolean) {
    this.#caller = caller.setNoDelay(true);
    this.#server = connect(port, '127.0.0.1').setNoDelay(true);
    for (const [socket, other] of [
      [this.#caller, this.#server],
      [this.#server, this.#caller],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
    }
    if (!isCut) this.restore();
  }

  /** The server does not listen, or is gone. */
  onRefused(listener: () => void): void {
    this.#server.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') listener();
    });
  }

  onClose(listener: () => void): void {
    this.#caller.on('close', listener);
  }

  cut(): void {
    this.#caller.unpipe(this.#server).pause();
    this.#server.unpipe(this.#caller).pause();
  }

  restore(): void {
    this.#caller.pipe(this.#server);
    this.#server.pipe(this.#caller);
  }

  close(): void {
    this.#caller.destroy();
    this.#server.destroy();
  }
}

/** Listens only while its target does: a caller of a dead server must be refused, as it is without a proxy. */
class RouteProxy {
  readonly route: ProxyRoute;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #target: number | undefined;
  #isCut = false;

  constructor(route: ProxyRoute) {
    this.route = route;
    this.#target = route.target;
    this.#server = createServer((caller) => this.#accept(caller));
    void this.#listenWithTarget();
  }

  #accept(caller: Socket): void {
    const connection = new Connection(caller, this.#target ?? 0, this.#isCut);
    this.#connections.add(connection);
    connection.onClose(() => this.#connections.delete(connection));
    connection.onRefused(() => this.#server.close());
  }

  async #listenWithTarget(): Promise<void> {
    for (;;) {
      if (!this.#server.listening && (await isListening(this.#target))) {
        this.#server.listen(this.route.port, this.route.host);
      }
      await sleep(targetPollMs);
    }
  }

  set isCut(isCut: boolean) {
    if (isCut === this.#isCut) return;
    this.#isCut = isCut;
    for (const connection of this.#connections) {
      if (isCut) connection.cut();
      else connection.restore();
    }
  }

  /** Connections to the former target are closed. */
  set target(port: number) {
    if (port === this.#target) return;
    this.#target = port;
    for (const connection of this.#connections) connection.close();
  }
}

const configuration = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ProxyConfiguration;
const proxies = configuration.routes.map((route) => new RouteProxy(route));
const primaryRoute = proxies.find(({ route }) => route.target === undefined);
const ca = readFileSync(configuration.caFile);

createHttpServer(async (request, response) => {
  const isolated = new Set(JSON.parse(await readBody(request)) as string[]);
  for (const proxy of proxies) proxy.isCut = isolated.has(proxy.route.from) || isolated.has(proxy.route.to);
  response.end();
}).listen(configuration.controlPort, '127.0.0.1');
void followPrimary();

async function followPrimary(): Promise<void> {
  for (;;) {
    for (const { patroniPort, port } of configuration.postgres) {
      if (primaryRoute !== undefined && (await isPrimary(patroniPort))) primaryRoute.target = port;
    }
    await sleep(primaryPollMs);
  }
}

function isListening(port: number | undefined): Promise<boolean> {
  if (port === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Patroni answers 200 where its server holds the lock of the primary. */
function isPrimary(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/primary', ca, timeout: primaryTimeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
