/** A TCP proxy before a backing service that can mute connections: they stay open, and no data passes. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '#deploy/dev/ports.ts';

class ProxiedConnection {
  readonly #sockets: readonly [caller: Socket, service: Socket];
  #isMuted = false;
  /** A Redis SUBSCRIBE was sent on this connection. */
  isSubscriber = false;

  constructor(caller: Socket, service: Socket) {
    this.#sockets = [caller, service];
    caller.on('data', (bytes) => {
      this.isSubscriber ||= bytes.toString('latin1').toLowerCase().includes('\nsubscribe\r');
    });
    this.#forward(caller, service);
    this.#forward(service, caller);
  }

  get isLiveSubscriber(): boolean {
    return this.isSubscriber && !this.#isMuted && this.#sockets.every((socket) => !socket.destroyed);
  }

  mute(): void {
    this.#isMuted = true;
    for (const socket of this.#sockets) socket.pause();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => undefined);
    // The other end of a muted connection does not notice that this one is closed.
    from.on('close', () => this.#isMuted || to.destroy());
  }
}

export class NetworkProxy {
  readonly address: string;
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  #mutesNew = false;

  private constructor(address: string, server: Server) {
    this.address = address;
    this.#server = server;
  }

  static async open(url: string): Promise<NetworkProxy> {
    const [target, address] = [new URL(url), new URL(url)];
    const port = await freePort();
    address.port = String(port);
    const server = createServer((socket) =>
      proxy.#add(new ProxiedConnection(socket, connect(Number(target.port), target.hostname))),
    );
    const proxy = new NetworkProxy(address.href, server);
    return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(proxy)));
  }

  get hasLiveSubscriber(): boolean {
    return [...this.#connections].some((connection) => connection.isLiveSubscriber);
  }

  /** Mutes all subscriber connections, and with `newOnes` every connection opened from now on. */
  muteSubscribers({ newOnes = false } = {}): void {
    this.#mutesNew = newOnes;
    for (const connection of this.#connections) if (connection.isSubscriber) connection.mute();
  }

  /** Mutes all open connections. New ones work. */
  muteAll(): void {
    for (const connection of this.#connections) connection.mute();
  }

  unmuteNew(): void {
    this.#mutesNew = false;
  }

  close(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.close();
  }

  #add(connection: ProxiedConnection): void {
    this.#connections.add(connection);
    if (this.#mutesNew) connection.mute();
  }
}
