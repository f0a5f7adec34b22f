/**
 * Who is turned away is answered from the bytes that came, before a request and a response are made of them: those are most
 * of what a refusal costs, and under overload refusals take the time of those who are let in. Only a plain request is
 * answered so, on a line that stands between two requests. All else is handed on to Node's reader of HTTP.
 *
 * What came in one round of the loop is looked at together at its end, and told together after that: between two calls of
 * the kernel the same work takes several times as long, for the core has forgotten its way through it.
 */
import { AsyncResource } from 'node:async_hooks';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type PlainRequest, plainRequest } from './plain-request.ts';

export interface TurnAway {
  /** Whether anybody was turned away of late: else nothing is looked at. */
  readonly isOnGuard: () => boolean;
  /** Undefined for who has to be heard. */
  readonly answer: (request: PlainRequest) => TurnedAway | undefined;
}

export interface TurnedAway {
  readonly status: number;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
}

export class Lookout {
  readonly #turnAway: TurnAway;
  readonly #kept: string;
  readonly #lines = new WeakMap<Socket, Line>();
  /** Those that brought something in this round. */
  #brought: Line[] = [];
  /** Whoever asks again as soon as he is told comes in the order in which he was told: for ever, were it always the same. */
  #isBackward = false;
  /** In nobody's context: what is told of a request is told of that one alone. */
  readonly #endRound = AsyncResource.bind(() => this.#answer());

  readonly #guard: Guard = {
    isOnGuard: () => this.#turnAway.isOnGuard(),
    brought: (line) => {
      if (this.#brought.length === 0) setImmediate(this.#endRound);
      this.#brought.push(line);
    },
    refusal: (request) => this.#refusal(request),
  };

  /** A line that stands still is kept for so long. */
  constructor(turnAway: TurnAway, keptMs: number) {
    this.#turnAway = turnAway;
    this.#kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keptMs / 1_000)}\r\n`;
  }

  /** Comes between a line and Node's reader of it. */
  opened(socket: Socket): void {
    const [take, ...others] = socket.listeners('data') as Take[];
    // Whoever else listens is not to be kept from hearing.
    if (take === undefined || others.length > 0) return;
    this.#lines.set(socket, new Line(socket, take, this.#guard));
  }

  /** Told of each request that Node has read; gives back who is to be told that it was answered. */
  heard(request: IncomingMessage): Line | undefined {
    const line = this.#lines.get(request.socket);
    line?.heard(request);
    return line;
  }

  /** No HTTP is spoken on it any more, and Node's reader does not listen to it. */
  forget(socket: Socket): void {
    this.#lines.get(socket)?.end();
  }

  #answer(): void {
    const brought = this.#brought;
    this.#brought = [];
    if (this.#isBackward) brought.reverse();
    this.#isBackward = !this.#isBackward;
    const faults: unknown[] = [];
    for (const line of brought) {
      try {
        line.look();
      } catch (thrown) {
        // It is thrown again where it was always told of, and takes none of the others with it.
        faults.push(thrown);
      }
    }
    for (const line of brought) line.tell();
    if (faults.length > 0) throw faults[0];
  }

  #refusal(request: PlainRequest): Refusal | undefined {
    const turnedAway = this.#turnAway.isOnGuard() ? this.#turnAway.answer(request) : undefined;
    if (turnedAway === undefined) return undefined;
    const { status, fields, text, encoding } = turnedAway;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (let at = 0; at + 1 < fields.length; at += 2) head += `${fields[at]}: ${fields[at + 1]}\r\n`;
    return { text: `${head}Date: ${date()}\r\n${this.#kept}\r\n${text}`, encoding };
  }
}

type Take = (piece: Buffer) => void;

/** As it goes to the line. */
type Refusal = Pick<TurnedAway, 'text' | 'encoding'>;

interface Guard {
  readonly isOnGuard: () => boolean;
  readonly brought: (line: Line) => void;
  readonly refusal: (request: PlainRequest) => Refusal | undefined;
}

/** Of a line, until the round ends: of all lines together as much as may be unproven. */
const mostKept = 16 * 1024;

class Line {
  readonly #socket: Socket;
  /** Hands a piece on to Node's reader. */
  readonly #take: Take;
  readonly #guard: Guard;
  /** Known only where the last piece was one request and Node heard that one. */
  #isBetween = false;
  #unanswered = 0;
  #last: IncomingMessage | undefined;
  /** Looked at when the round ends. */
  #brought: Buffer | undefined;
  #refusal: Refusal | undefined;
  #isEnded = false;

  constructor(socket: Socket, take: Take, guard: Guard) {
    this.#socket = socket;
    this.#take = take;
    this.#guard = guard;
    // Added first: Node reads past whoever listens, until somebody says that he does.
    socket.on('data', this.#took).off('data', take);
    // Before Node hears that nothing more is sent: it answers nobody after that.
    socket.prependListener('end', this.#ended);
  }

  heard(request: IncomingMessage): void {
    this.#unanswered += 1;
    this.#last = request;
  }

  answered(): void {
    this.#unanswered -= 1;
  }

  end(): void {
    this.#isEnded = true;
    this.#brought = undefined;
    this.#socket.off('data', this.#took).off('end', this.#ended);
  }

  /** At the end of the round in which something was brought. */
  look(): void {
    const piece = this.#takeBrought();
    if (piece === undefined) return;
    const request = plainRequest(piece);
    const mayBe = request !== undefined && this.#isBetween && isTaken(this.#socket);
    this.#refusal = mayBe ? this.#guard.refusal(request) : undefined;
    if (this.#refusal === undefined) this.#hear(piece, request);
  }

  tell(): void {
    const refusal = this.#refusal;
    if (refusal === undefined) return;
    this.#refusal = undefined;
    this.#socket.write(refusal.text, refusal.encoding);
  }

  readonly #took = (piece: Buffer): void => {
    this.#handOn();
    if (this.#socket.isPaused()) {
      // Node takes no more of who asks faster than he reads: it comes again when he does.
      this.#socket.unshift(piece);
      return;
    }
    const isOnGuard = this.#guard.isOnGuard();
    // Those that will be heard as well: heard before the others of their round, they would find the places that there are.
    if (isOnGuard && this.#unanswered === 0 && piece.length <= mostKept) {
      this.#brought = piece;
      this.#guard.brought(this);
    } else this.#hear(piece, isOnGuard ? plainRequest(piece) : undefined);
  };

  readonly #ended = (): void => {
    this.look();
    this.tell();
  };

  /** Whoever brings more before he was looked at is heard. */
  #handOn(): void {
    const piece = this.#takeBrought();
    if (piece !== undefined) this.#hear(piece, plainRequest(piece));
  }

  #takeBrought(): Buffer | undefined {
    const piece = this.#brought;
    this.#brought = undefined;
    return piece;
  }

  #hear(piece: Buffer, request: PlainRequest | undefined): void {
    // Node has given its reader of a line that is gone to another one.
    if (this.#isEnded || this.#socket.destroyed) return;
    this.#last = undefined;
    this.#take(piece);
    this.#isBetween = request !== undefined && this.#last !== undefined && isThat(this.#last, request);
    // It is not to be kept for as long as the line.
    this.#last = undefined;
  }
}

/**
 * Whether Node heard the request that was read of a piece, to its end, and so the piece and nothing else. One that began before the
 * piece has a header more; one that begins behind its first byte has one less, or the same length of a body and not the bytes for it.
 */
function isThat({ complete, method, url, rawHeaders }: IncomingMessage, request: PlainRequest): boolean {
  if (!complete || method !== request.method || url !== request.url) return false;
  return (
    rawHeaders.length === request.rawHeaders.length && rawHeaders.every((text, at) => text === request.rawHeaders[at])
  );
}

/** Whoever does not read what he is answered is not answered more. */
function isTaken(socket: Socket): boolean {
  return socket.writable && socket.writableLength === 0;
}

let second = 0;
let written = '';

/** To the second, as HTTP has it. */
function date(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) [second, written] = [now, new Date(now * 1_000).toUTCString()];
  return written;
}
