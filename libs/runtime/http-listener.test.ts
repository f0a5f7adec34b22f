import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { listen } from './http-listener.ts';

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
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const onBrokenRequest = (error: Error, socket: Duplex): void => {
      socket.once('close', () => resolve());
      if ((socket as { _httpMessage?: object | null })._httpMessage) socket.destroy(error);
      else socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    };
    const listener = await listen(handle, { host: '127.0.0.1', port: 0, onBrokenRequest });
    const connection = connect(listener.port, '127.0.0.1').on('error', () => undefined);
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
    expect(closedUrls.sort()).toEqual(['/1', '/2', '/3']);
    await listener.close();
  });
});
