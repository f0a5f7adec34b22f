/** A TCP proxy before Postgres that changes the startup parameters of a connection, as a connection pooler may. */
import { connect, createServer, type Server } from 'node:net';
import { freePort } from '#deploy/dev/ports.ts';

type Parameters = Readonly<Record<string, string>>;

export class StartupProxy {
  readonly url: string;
  readonly #server: Server;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async open(target: string, change: (parameters: Parameters) => Parameters): Promise<StartupProxy> {
    const url = new URL(target);
    const [host, port] = [url.hostname, Number(url.port)];
    url.port = String(await freePort());
    const server = createServer((caller) => {
      const service = connect(port, host);
      for (const [one, other] of [[caller, service] as const, [service, caller] as const]) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
      // The driver sends the message in one piece.
      caller.once('data', (message) => {
        service.write(encodeStartup(message, change(decodeStartup(message))));
        caller.pipe(service).pipe(caller);
      });
    });
    await new Promise<void>((resolve) => server.listen(Number(url.port), '127.0.0.1', resolve));
    return new StartupProxy(url.href, server);
  }

  close(): void {
    this.#server.close();
  }
}

/** Length, protocol version, and names and values that end with a zero byte. */
const headerBytes = 8;

function decodeStartup(message: Buffer): Parameters {
  const texts = message
    .subarray(headerBytes, message.readInt32BE(0) - 2)
    .toString('utf8')
    .split('\0');
  const pairs = texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? '']] : []));
  return Object.fromEntries(pairs);
}

function encodeStartup(message: Buffer, parameters: Parameters): Buffer {
  const texts = Object.entries(parameters).map(([name, value]) => `${name}\0${value}\0`);
  const encoded = Buffer.concat([message.subarray(0, headerBytes), Buffer.from(`${texts.join('')}\0`)]);
  encoded.writeInt32BE(encoded.length, 0);
  return encoded;
}
