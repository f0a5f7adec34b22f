/** A line that does not wait: requests are written when they are due, and answered in the order they were sent in. */
import { connect, type Socket } from 'node:net';

export interface Answered {
  readonly status: number;
  readonly body: string;
}

const endOfHead = Buffer.from('\r\n\r\n');
/** As Node writes it: what is measured is one service. */
const lengthOfBody = Buffer.from('Content-Length: ');
const nothing = Buffer.alloc(0);
/** All lines read into it, one after the other: a buffer for each read is most of what a caller costs. */
const read = Buffer.alloc(64 * 1024);

export class Pipeline {
  #socket: Socket | undefined;
  readonly #answered: ((answered: Answered) => void)[] = [];
  #whenClosed: (cause: Error) => void = () => undefined;
  /** Of an answer that has not come whole yet. */
  #part: Buffer = nothing;

  static open(port: number): Promise<Pipeline> {
    return new Promise((resolve, reject) => {
      const line = new Pipeline();
      const callback = (many: number): boolean => {
        line.#take(read.subarray(0, many));
        return true;
      };
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: read, callback } }, () => {
        socket.off('error', reject).on('error', (cause) => line.#whenClosed(cause));
        socket.on('close', () => line.#whenClosed(new Error('the line was closed')));
        resolve(line);
      });
      line.#socket = socket.once('error', reject);
    });
  }

  get waiting(): number {
    return this.#answered.length;
  }

  /** What was asked and is not answered never is then. */
  whenClosed(tell: (cause: Error) => void): void {
    this.#whenClosed = tell;
  }

  send(request: Buffer, answered: (answered: Answered) => void): void {
    this.#answered.push(answered);
    this.#socket?.write(request);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#part.length === 0 ? chunk : Buffer.concat([this.#part, chunk]);
    let from = 0;
    for (let head = received.indexOf(endOfHead); head !== -1; head = received.indexOf(endOfHead, from)) {
      const begins = head + endOfHead.length;
      const end = begins + bodyLength(received, from, head);
      if (end > received.length) break;
      const status = Number(received.toString('latin1', from + 9, from + 12));
      const body = received.toString('utf8', begins, end);
      from = end;
      this.#answered.shift()?.({ status, body });
    }
    // The next line is read into the same bytes.
    this.#part = from === received.length ? nothing : Buffer.from(received.subarray(from));
  }
}

function bodyLength(received: Buffer, from: number, head: number): number {
  const at = received.indexOf(lengthOfBody, from);
  return at === -1 || at > head ? 0 : Number.parseInt(received.toString('latin1', at + lengthOfBody.length, head), 10);
}
