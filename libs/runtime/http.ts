/** An HTTP server that ends without dropping what it has accepted. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Slots } from './slot-map.ts';
import { Lookout, type TurnAway } from './turned-away.ts';

export type Listening = {
  readonly port: number;
  /** Takes nothing new, answers what is under way, closes lines as they fall idle. */
  close(): Promise<void>;
};

// A caller's pool keeps idle lines for up to a minute or so: the side that closes first must not be us.
const keepAliveMs = 75_000;

const idleGraceMs = 400;

/** Of a line, of a body and of an answer each, before its other side has to wait: a caller without a key can have all three kept. */
const mostAhead = 16 * 1024;

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
      highWaterMark: mostAhead,
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
    // What a caller expects beside an answer is not met, and is no reason to refuse the request.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }
  const underWay = new Slots<ServerResponse>();
  let isClosing = false;
  const isOnGuard = (): boolean => !isClosing && turnAway?.isOnGuard() === true;
  const lookout = turnAway && new Lookout({ ...turnAway, isOnGuard }, keepAliveMs);
  if (lookout !== undefined) server.on('connection', (socket) => lookout.opened(socket));
  server.prependListener('request', (request, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
    const slot = underWay.put(response);
    const line = lookout?.heard(request);
    // It comes once; to say so costs more than the rest of this.
    response.once('close', () => {
      underWay.clear(slot);
      line?.answered();
    });
  });
  server.on('connect', ({ socket }) => {
    lookout?.forget(socket);
    lookAfter(socket, () => {
      for (const response of underWay.all()) if (response.req.socket === socket) response.emit('close');
    });
    if (answerBroken === undefined) socket.destroy();
    else answerBroken(new Error('a tunnel was asked for'), socket);
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
 * For a line that was asked to be a tunnel, which Node has let go of with all its listeners. Its faults are its own; answers that
 * were still to be sent on it are told that it is closed. With bytes unread TCP would take the answer away again, so whoever
 * still sends has a moment to stop.
 */
function lookAfter(socket: Socket, closed: () => void): void {
  const late = setTimeout(() => socket.destroy(), idleGraceMs);
  socket
    .on('error', () => undefined)
    .once('close', () => {
      clearTimeout(late);
      closed();
    });
  socket.resume();
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
