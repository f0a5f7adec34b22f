/**
 * The requests of one HTTP/1.1 connection. Node parses pipelined requests without a bound, and reports a malformed one
 * before the requests in front of it are answered; this class holds such requests and reports back in order.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What ends a connection that has more unanswered requests than are allowed. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError';
}

/** Answers the request that cannot be served, after all answers before it, and ends the connection. */
export type BrokenRequestHandler = (error: Error, socket: Socket) => void;

export interface ConnectionLimits {
  /** Requests on one connection that are not answered yet. No usual client pipelines as many. */
  readonly maxUnansweredRequests: number;
  /** Of those, how many are in progress at the same time. The others wait. */
  readonly maxStartedRequests: number;
  /** While more bytes wait for the caller to read them, no further request of the connection is started. */
  readonly maxUnreadBytes: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  maxUnansweredRequests: 64,
  maxStartedRequests: 8,
  maxUnreadBytes: 1024 * 1024,
};

/** More than one read of the socket can hold. A caller that still sends after that many is disconnected. */
const maxIgnoredRequests = 4_096;

export class HttpConnection {
  readonly #socket: Socket;
  readonly #limits: ConnectionLimits;
  readonly #onBroken: BrokenRequestHandler;
  /** In the order of their requests. */
  readonly #unanswered: ServerResponse[] = [];
  readonly #held: (() => void)[] = [];
  #failure: Error | undefined;
  /** The last request, if the failure is in its body. */
  #incomplete: ServerResponse | undefined;
  #isFailureReported = false;
  #ignored = 0;

  constructor(socket: Socket, limits: ConnectionLimits, onBroken: BrokenRequestHandler) {
    this.#socket = socket;
    this.#limits = limits;
    this.#onBroken = onBroken;
    // Node notifies only the response in progress; those behind it are notified here, after it.
    socket.once('close', () => setImmediate(() => this.#close()));
  }

  get unanswered(): readonly ServerResponse[] {
    return this.#unanswered;
  }

  /** Calls `start` now, when the caller has read enough of the answers before it, or never if the connection failed. */
  receive(response: ServerResponse, start: () => void): void {
    if (this.#failure !== undefined) {
      this.#ignore();
      return;
    }
    if (this.#unanswered.length >= this.#limits.maxUnansweredRequests) {
      this.fail(new TooManyRequestsError(`more than ${this.#limits.maxUnansweredRequests} unanswered requests`));
      return;
    }
    response.once('close', () => this.#remove(response));
    const mustWait = this.#unanswered.length > 0 && (this.#held.length > 0 || !this.#canStart());
    this.#unanswered.push(response);
    if (mustWait) this.#held.push(start);
    else start();
  }

  /** What follows the requests received so far is not served. */
  fail(error: NodeJS.ErrnoException): void {
    if (!this.#socket.writable || error.code === 'ECONNRESET' || this.#isStreaming()) {
      this.#socket.destroy(error);
      return;
    }
    if (this.#failure !== undefined) return;
    this.#failure = error;
    if (!(error instanceof TooManyRequestsError)) {
      this.#incomplete = this.#unanswered.find(({ req }) => !req.complete);
    }
    this.#reportFailure();
  }

  #canStart(): boolean {
    const { maxStartedRequests, maxUnreadBytes } = this.#limits;
    return this.#unanswered.length - this.#held.length < maxStartedRequests && this.#unreadBytes() <= maxUnreadBytes;
  }

  /** The first response counts what the socket holds; the others hold their own bytes until it is their turn. */
  #unreadBytes(): number {
    return this.#unanswered.reduce((sum, { writableLength }) => sum + writableLength, 0);
  }

  #remove(response: ServerResponse): void {
    const at = this.#unanswered.indexOf(response);
    if (at >= 0) this.#unanswered.splice(at, 1);
    while (this.#held.length > 0 && this.#canStart()) this.#held.shift()?.();
    this.#reportFailure();
  }

  #reportFailure(): void {
    if (this.#failure === undefined || this.#isFailureReported) return;
    if (this.#unanswered.some((response) => response !== this.#incomplete)) return;
    this.#isFailureReported = true;
    // Refused before its body was read: it has its answer.
    if (this.#incomplete?.headersSent === true) this.#socket.destroySoon();
    else this.#onBroken(this.#failure, this.#socket);
  }

  #isStreaming(): boolean {
    const [current] = this.#unanswered;
    return current?.headersSent === true && !current.writableEnded;
  }

  #ignore(): void {
    this.#ignored += 1;
    this.#socket.pause();
    if (this.#ignored > maxIgnoredRequests) this.#socket.destroy();
  }

  #close(): void {
    this.#held.length = 0;
    for (const response of [...this.#unanswered]) response.emit('close');
  }
}
