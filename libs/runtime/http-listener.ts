/** An HTTP server that stops without dropping requests it has accepted. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { TlsSource } from './follow-setting.ts';
import {
  type BrokenRequestHandler,
  type ConnectionLimits,
  defaultConnectionLimits,
  HttpConnection,
} from './http-connection.ts';

export interface HttpListener {
  readonly port: number;
  /** Accepts nothing new, answers requests in progress, and closes connections when they are idle. */
  close(): Promise<void>;
}

// The client must close idle connections first, and pools keep them for up to a minute.
const keepAliveMs = 75_000;
export const headersTimeoutMs = 20_000;
export const requestTimeoutMs = 60_000;
const handshakeTimeoutMs = 10_000;
/** Longer than the timeout of a request, which is answered. */
const defaultStallTimeoutMs = 95_000;

/** How long an idle connection stays open while the server stops, and a refused tunnel after its answer. */
const idleGraceMs = 400;
const idleSweepMs = 50;

/** Buffered per connection, per body and per response: callers without a key can have all three filled. */
const maxBufferedBytes = 16 * 1024;

/** Longer than any cursor or signature, so that the pipeline answers values that are too long. */
export const maxHeaderBytes = 64 * 1024;

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Answers bytes that are not HTTP, CONNECT requests, and requests above `connectionLimits`. Without it the connection is closed. */
  readonly onBrokenRequest?: BrokenRequestHandler;
  readonly connectionLimits?: ConnectionLimits;
  /** A connection on which so long nothing was received or read, although answers wait, is closed. */
  readonly stallTimeoutMs?: number;
  /** Serves HTTPS with these certificates, which may change. */
  readonly tls?: TlsSource | undefined;
  /** Connections above this limit are closed immediately. */
  readonly maxConnections?: number;
}

export async function listen(listener: RequestListener, options: ListenOptions): Promise<HttpListener> {
  const { host, port, onBrokenRequest, maxConnections, connectionLimits = defaultConnectionLimits } = options;
  const server = openServer(options.tls, {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    highWaterMark: maxBufferedBytes,
    // Nothing depends on the host name the caller used.
    requireHostHeader: onBrokenRequest === undefined,
  });
  server.timeout = options.stallTimeoutMs ?? defaultStallTimeoutMs;
  // Dropped: otherwise a worker of a cluster hands a connection to the next worker while all of them are full.
  if (maxConnections !== undefined) Object.assign(server, { maxConnections, dropMaxConnection: true });
  const connections = new Map<Socket, HttpConnection>();
  const answerBroken = onBrokenRequest ?? ((error, socket) => socket.destroy(error));
  const connected = options.tls === undefined ? 'connection' : 'secureConnection';
  server.on(connected, (socket: Socket) => {
    connections.set(socket, new HttpConnection(socket, connectionLimits, answerBroken));
    socket.once('close', () => connections.delete(socket));
  });
  let isClosing = false;
  server.on('request', (request, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
    connections.get(request.socket)?.receive(response, () => listener(request, response));
  });
  if (onBrokenRequest !== undefined) {
    server.on('clientError', (error, socket) => {
      const connection = connections.get(socket as Socket);
      // A TLS handshake that failed, or a caller without TLS.
      if (connection === undefined) socket.destroy();
      else connection.fail(error);
    });
    // An expectation that is not met does not prevent the request from being answered.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }
  server.on('connect', ({ socket }) => {
    closeTunnel(socket);
    connections.get(socket)?.fail(new Error('CONNECT is not supported'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      isClosing = true;
      // Announced first, so that the caller does not send its next request on a connection that is about to close.
      for (const { unanswered } of connections.values()) {
        for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      return drain(server);
    },
  };
}

function openServer(tls: TlsSource | undefined, options: ServerOptions): Server | SecureServer {
  if (tls === undefined) return createServer(options);
  // Open connections keep the certificate with which they began.
  const files = tls((changed) => server.setSecureContext(changed));
  const server = createSecureServer({ ...options, ...files(), handshakeTimeout: handshakeTimeoutMs });
  return server;
}

/**
 * Node detaches the socket of a CONNECT request from all its listeners. Its errors are ignored, and unread bytes are read
 * for a moment after the answer: otherwise TCP discards the answer.
 */
function closeTunnel(socket: Socket): void {
  socket
    .on('error', () => undefined)
    .on('timeout', () => socket.destroy())
    .once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), idleGraceMs);
      socket.once('close', () => clearTimeout(timer));
    });
  socket.resume();
}

function drain(server: Server | SecureServer): Promise<void> {
  return new Promise((resolve, reject) => {
    let sweep: NodeJS.Timeout | undefined;
    // A request may be in transit on a connection that is idle here, so idle connections are still answered for a
    // moment, with `Connection: close`. `Server.close` of HTTP would drop them immediately; that of its socket server
    // does not.
    const grace = setTimeout(() => {
      sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs);
    }, idleGraceMs);
    NetServer.prototype.close.call(server, (error?: Error) => {
      clearTimeout(grace);
      clearInterval(sweep);
      // Stops the timer that watches for slow headers.
      server.close(() => undefined);
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}
