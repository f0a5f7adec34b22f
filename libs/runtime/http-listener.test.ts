import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { defaultConnectionLimits } from './http-connection.ts';
import { type ListenOptions, listen } from './http-listener.ts';

test('connections above the limit are closed immediately, and accepted when another has closed', async () => {
  const listener = await listen((_, response) => response.end(), { host: '127.0.0.1', port: 0, maxConnections: 2 });
  const openConnection = async () => {
    const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const outcome = await Promise.race([
      once(socket, 'data').then(() => 'answered'),
      once(socket, 'close').then(() => 'closed'),
    ]);
    return { socket, outcome };
  };
  const [first, second] = [await openConnection(), await openConnection()];
  expect([first.outcome, second.outcome, (await openConnection()).outcome]).toEqual(['answered', 'answered', 'closed']);
  first.socket.destroy();
  for (let outcome = 'closed'; outcome !== 'answered'; ) {
    const next = await openConnection();
    outcome = next.outcome;
    next.socket.destroy();
  }
  second.socket.destroy();
  await listener.close();
});

test('the connection of a CONNECT request is closed, whatever follows on it', async () => {
  const onBrokenRequest = (_: Error, socket: Duplex) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  const options = { host: '127.0.0.1', port: 0, maxConnections: 1, onBrokenRequest };
  const listener = await listen((_, response) => response.end(), options);
  const tunnel = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  tunnel.on('error', () => undefined).write('CONNECT x:1 HTTP/1.1\r\n\r\n');
  expect(String(await once(tunnel, 'data'))).toContain('400');
  tunnel.write('more');
  for (let outcome = 'closed'; outcome !== 'answered'; ) {
    const next = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    next.write('GET / HTTP/1.1\r\n\r\n');
    outcome = await Promise.race([once(next, 'data').then(() => 'answered'), once(next, 'close').then(() => 'closed')]);
    next.destroy();
  }
  tunnel.destroy();
  await listener.close();
});

describe('the connection of a CONNECT request', () => {
  const connectRequest = 'CONNECT x:1 HTTP/1.1\r\n\r\n';

  async function openServer(handle: RequestListener) {
    const onBrokenRequest = (_: Error, socket: Duplex) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const listener = await listen(handle, { host: '127.0.0.1', port: 0, onBrokenRequest });
    const connection = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    const closed = once(connection.resume(), 'close');
    return { listener, connection, closed };
  }

  test('may be reset without affecting the server', async () => {
    const { listener, connection, closed } = await openServer((_, response) => response.end());
    await once(connection, 'connect');
    connection.write(connectRequest);
    connection.resetAndDestroy();
    await closed;
    await listener.close();
  });

  test('closes the responses still pending on it', async () => {
    const closedUrls: string[] = [];
    const { listener, connection, closed } = await openServer((request, response) => {
      response.on('close', () => closedUrls.push(request.url ?? ''));
      if (request.url === '/1') response.writeHead(200).write('begun');
    });
    connection.write(`GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n${connectRequest}`);
    await closed;
    await listener.close();
    while (closedUrls.length < 3) await new Promise(setImmediate);
    expect(closedUrls.sort()).toEqual(['/1', '/2', '/3']);
  });
});

describe('a connection that pipelines requests', () => {
  const page = Buffer.alloc(400_000);

  async function openServer(handle: RequestListener, limits: Partial<ListenOptions> = {}) {
    const onBrokenRequest = (error: Error, socket: Duplex) => socket.end(error.name);
    const listener = await listen(handle, { host: '127.0.0.1', port: 0, onBrokenRequest, ...limits });
    const connection = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    const requests = (count: number): boolean => connection.write('GET / HTTP/1.1\r\n\r\n'.repeat(count));
    return { listener, connection, requests };
  }

  test('is answered up to the limit of unanswered requests, then closed', async () => {
    const responses: ServerResponse[] = [];
    const connectionLimits = { ...defaultConnectionLimits, maxUnansweredRequests: 3 };
    const { listener, connection, requests } = await openServer((_, response) => responses.push(response), {
      connectionLimits,
    });
    const received = text(connection);
    requests(5);
    while (responses.length < 3) await new Promise(setImmediate);
    for (const response of responses.toReversed()) response.end();
    expect((await received).match(/HTTP\/1\.1 200|TooManyRequestsError/g)).toEqual([
      ...Array.from({ length: 3 }, () => 'HTTP/1.1 200'),
      'TooManyRequestsError',
    ]);
    expect(responses).toHaveLength(3);
    await listener.close();
  });

  test('gets its next answer only when it has read the answers before', async () => {
    let answered = 0;
    const { listener, connection, requests } = await openServer((_, response) => {
      answered += 1;
      response.end(page);
    });
    requests(50);
    while (answered === 0) await new Promise(setImmediate);
    const answeredUnread = answered;
    expect(answeredUnread).toBeLessThan(30);
    connection.resume();
    while (answered < 50) await new Promise(setImmediate);
    connection.destroy();
    await listener.close();
  });

  test('is closed when it reads nothing for longer than the limit', async () => {
    const server = Promise.withResolvers<Socket>();
    const handle: RequestListener = ({ socket }, response) => {
      server.resolve(socket);
      response.end(page);
    };
    const { listener, connection, requests } = await openServer(handle, { stallTimeoutMs: 100 });
    requests(50);
    const socket = await server.promise;
    if (!socket.destroyed) await once(socket, 'close');
    connection.destroy();
    await listener.close();
  });
});
