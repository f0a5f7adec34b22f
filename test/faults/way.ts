/** A way to a backing service on which lines can be swallowed: they stand, and nothing passes. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '#deploy/stack/ports.ts';

/** One line through the way. Swallowed it stays open, and nothing passes in either direction. */
class Line {
  readonly #ends: readonly [near: Socket, far: Socket];
  #isSwallowed = false;
  /** Something was subscribed to on it. */
  listens = false;

  constructor(near: Socket, far: Socket) {
    this.#ends = [near, far];
    near.on('data', (bytes) => {
      this.listens ||= bytes.toString('latin1').toLowerCase().includes('\nsubscribe\r');
    });
    this.#join(near, far);
    this.#join(far, near);
  }

  get isHeard(): boolean {
    return this.listens && !this.#isSwallowed && this.#ends.every((end) => !end.destroyed);
  }

  swallow(): void {
    this.#isSwallowed = true;
    for (const end of this.#ends) end.pause();
  }

  close(): void {
    for (const end of this.#ends) end.destroy();
  }

  #join(from: Socket, to: Socket): void {
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => undefined);
    // Of what was swallowed the other end is not told either.
    from.on('close', () => this.#isSwallowed || to.destroy());
  }
}

/** The way to a backing service. */
export class Way {
  readonly address: string;
  readonly #server: Server;
  readonly #lines = new Set<Line>();
  #swallowsNew = false;

  private constructor(address: string, server: Server) {
    this.address = address;
    this.#server = server;
  }

  static async open(url: string): Promise<Way> {
    const [target, address] = [new URL(url), new URL(url)];
    const port = await freePort();
    address.port = String(port);
    const server = createServer((near) => way.#pass(new Line(near, connect(Number(target.port), target.hostname))));
    const way = new Way(address.href, server);
    return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(way)));
  }

  get isHeard(): boolean {
    return [...this.#lines].some((line) => line.isHeard);
  }

  /** The lines that only listen, and with `newOnes` all that are opened from now on. */
  swallow({ newOnes = false } = {}): void {
    this.#swallowsNew = newOnes;
    for (const line of this.#lines) if (line.listens) line.swallow();
  }

  /** All that stand; those that are opened from now on pass. */
  swallowStanding(): void {
    for (const line of this.#lines) line.swallow();
  }

  letPass(): void {
    this.#swallowsNew = false;
  }

  close(): void {
    this.#server.close();
    for (const line of this.#lines) line.close();
  }

  #pass(line: Line): void {
    this.#lines.add(line);
    if (this.#swallowsNew) line.swallow();
  }
}
