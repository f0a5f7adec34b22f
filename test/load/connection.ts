/**
 * HTTP/1.1 client connections that cost little CPU: requests are sent as prepared bytes and responses are parsed only as
 * far as needed, so that a benchmark measures the service and not its client.
 */
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly body: string;
}

const endOfHead = Buffer.from('\r\n\r\n');
/** As Node's HTTP server writes it. */
const contentLength = Buffer.from('Content-Length: ');
const empty = Buffer.alloc(0);
/** All connections read into this buffer: allocating one for each read would dominate the cost of the client. */
const readBuffer = Buffer.alloc(64 * 1024);

/** Sends requests without waiting for responses. Responses arrive in the order of the requests. */
export class PipelinedConnection {
  #socket: Socket | undefined;
  readonly #callbacks: ((response: RawResponse) => void)[] = [];
  #onClose: (cause: Error) => void = () => undefined;
  /** The beginning of a response that has not arrived completely. */
  #partial: Buffer = empty;

  static open(port: number): Promise<PipelinedConnection> {
    return new Promise((resolve, reject) => {
      const connection = new PipelinedConnection();
      const callback = (byteCount: number): boolean => {
        connection.#receive(readBuffer.subarray(0, byteCount));
        return true;
      };
      const onread = { buffer: readBuffer, callback };
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, () => {
        socket.off('error', reject).on('error', (cause) => connection.#onClose(cause));
        socket.on('close', () => connection.#onClose(new Error('the connection was closed')));
        resolve(connection);
      });
      connection.#socket = socket.once('error', reject);
    });
  }

  /** The number of requests without a response. */
  get pending(): number {
    return this.#callbacks.length;
  }

  /** Called when the connection closes or fails; pending requests get no response then. */
  onClose(callback: (cause: Error) => void): void {
    this.#onClose = callback;
  }

  send(request: Buffer, callback: (response: RawResponse) => void): void {
    this.#callbacks.push(callback);
    this.#socket?.write(request);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #receive(chunk: Buffer): void {
    const received = this.#partial.length === 0 ? chunk : Buffer.concat([this.#partial, chunk]);
    let start = 0;
    for (let head = received.indexOf(endOfHead); head !== -1; head = received.indexOf(endOfHead, start)) {
      const bodyStart = head + endOfHead.length;
      const end = bodyStart + bodyLength(received, start, head);
      if (end > received.length) break;
      const status = Number(received.toString('latin1', start + 9, start + 12));
      const body = received.toString('utf8', bodyStart, end);
      start = end;
      this.#callbacks.shift()?.({ status, body });
    }
    // Copied, because the next read overwrites the shared buffer.
    this.#partial = start === received.length ? empty : Buffer.from(received.subarray(start));
  }
}

function bodyLength(received: Buffer, start: number, head: number): number {
  const at = received.indexOf(contentLength, start);
  return at === -1 || at > head ? 0 : Number.parseInt(received.toString('latin1', at + contentLength.length, head), 10);
}

/** Sends one request at a time and waits for its response. */
export class Connection {
  readonly #pipelined: PipelinedConnection;
  #reject: ((cause: Error) => void) | undefined;

  private constructor(pipelined: PipelinedConnection) {
    this.#pipelined = pipelined;
    pipelined.onClose((cause) => this.#reject?.(cause));
  }

  static async open(port: number): Promise<Connection> {
    return new Connection(await PipelinedConnection.open(port));
  }

  send(request: Buffer): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#pipelined.send(request, resolve);
    });
  }

  close(): void {
    this.#pipelined.close();
  }
}
