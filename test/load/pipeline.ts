/** A line that does not wait: requests are written when they are due, and answered in the order they were sent in. */
import { connect, type Socket } from 'node:net';
import type { Answered } from './caller.ts';

const endOfHead = Buffer.from('\r\n\r\n');

export class Pipeline {
  readonly #socket: Socket;
  readonly #answered: ((answered: Answered) => void)[] = [];
  #received: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    // What it had asked is never answered then, and counted so.
    socket.on('error', () => undefined);
  }

  static open(port: number): Promise<Pipeline> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(new Pipeline(socket)));
      socket.once('error', reject);
    });
  }

  get waiting(): number {
    return this.#answered.length;
  }

  send(request: Buffer, answered: (answered: Answered) => void): void {
    this.#answered.push(answered);
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    let from = 0;
    for (let head = received.indexOf(endOfHead); head !== -1; head = received.indexOf(endOfHead, from)) {
      const fields = received.toString('latin1', from, head);
      const begins = head + endOfHead.length;
      const end = begins + Number(/content-length: (\d+)/i.exec(fields)?.[1] ?? 0);
      if (end > received.length) break;
      this.#answered.shift()?.({ status: Number(fields.slice(9, 12)), body: received.toString('utf8', begins, end) });
      from = end;
    }
    this.#received = received.subarray(from);
  }
}
