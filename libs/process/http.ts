/** An HTTP server that ends without dropping what it has accepted. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { Slots } from './slots.ts';
import { Lookout, type TurnAway } from './turned-away.ts';

export type Listening = {
  readonly port: number;
  /** Takes nothing new, answers what is under way, closes lines as they fall idle. */
  close(): Promise<void>;
};

// A caller's pool keeps idle lines for up to a minute or so: the side that closes first must not be us.
const keepAliveMs = 75_000;

const idleGraceMs = 400;

/** Longer than any cursor or signature, so that what is too long of a request is told by whoever reads it. */
const mostHeaderBytes = 64 * 1024;

export interface ListenOptions {
  readonly host?: string;
  /** Answers bytes that are no HTTP, and what is asked of a proxy; without it Node's own answers are given. */
  readonly answerBroken?: (fault: Error, socket: Duplex) => void;
  /** Whoever comes when so many lines are open is closed at once. */
  readonly mostLines?: number;
  /** Answers whoever is turned away before he is heard; without it everybody is heard. */
  readonly turnAway?: TurnAway;
}

export async function listen(
  handle: RequestListener,
  port: number,
  { host, answerBroken, mostLines, turnAway }: ListenOptions = {},
): Promise<Listening> {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      headersTimeout: 20_000,
      requestTimeout: 60_000,
      maxHeaderSize: mostHeaderBytes,
      // Nothing here depends on the name a caller found us by.
      requireHostHeader: answerBroken === undefined,
    },
    handle,
  );
  if (mostLines !== undefined) {
    // Dropped: else one worker of several hands it to the next, and that one on, for as long as all are full.
    Object.assign(server, { maxConnections: mostLines, dropMaxConnection: true });
  }
  if (answerBroken !== undefined) {
    server.on('clientError', answerBroken);
    server.on('connect', (_request, socket) => {
      answerBroken(new Error('a tunnel was asked for'), socket);
      closeInTime(socket);
    });
    // What a caller expects beside an answer is not met, and is no reason to refuse the request.
    server.on('checkExpectation', handle);
  }
  const underWay = new Slots<ServerResponse>();
  let isClosing = false;
  const lookout = turnAway && lookoutOn(server, { ...turnAway, isOnGuard: () => !isClosing && turnAway.isOnGuard() });
  server.prependListener('request', (request, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
    const slot = underWay.put(response);
    const line = lookout?.heard(request);
    // It comes once; to say so costs more than the rest of this.
    response.on('close', () => {
      underWay.clear(slot);
      line?.answered();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      isClosing = true;
      // Told before it is closed, a caller does not send its next request down a line that is about to go.
      for (const response of underWay.all()) if (!response.headersSent) response.setHeader('Connection', 'close');
      return drain(server);
    },
  };
}

/**
 * Nobody else looks after a line on which no HTTP is spoken any more. Closed with bytes unread, TCP would take the answer
 * away again: whoever still sends has a moment to stop.
 */
function closeInTime(socket: Duplex): void {
  const late = setTimeout(() => socket.destroy(), idleGraceMs);
  socket.once('close', () => clearTimeout(late)).resume();
}

function lookoutOn(server: Server, turnAway: TurnAway): Lookout {
  const lookout = new Lookout(turnAway, keepAliveMs);
  server.on('connection', (socket) => lookout.opened(socket));
  server.prependListener('connect', ({ socket }) => lookout.forget(socket));
  return lookout;
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    let sweep: NodeJS.Timeout | undefined;
    // A request may be on its way down a line that is idle here: for a moment idle lines are still answered, with the
    // word that they close. An HTTP server's own close would drop them at once, so this is the one of its socket.
    const grace = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), 50);
    }, idleGraceMs);
    NetServer.prototype.close.call(server, (error?: Error) => {
      clearTimeout(grace);
      clearInterval(sweep);
      // What watches over slow headers is stopped by this alone.
      server.close(() => undefined);
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}
