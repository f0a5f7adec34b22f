import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { listen } from './http-listener.ts';

test('whoever comes when all the lines are open is closed at once, and let in when one has gone', async () => {
  const listening = await listen((_, response) => response.end(), 0, { host: '127.0.0.1', maxConnections: 2 });
  const line = async () => {
    const socket = connect(listening.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const got = await Promise.race([
      once(socket, 'data').then(() => 'answered'),
      once(socket, 'close').then(() => 'closed'),
    ]);
    return { socket, got };
  };
  const [one, two] = [await line(), await line()];
  expect([one.got, two.got, (await line()).got]).toEqual(['answered', 'answered', 'closed']);
  one.socket.destroy();
  for (let got = 'closed'; got !== 'answered'; ) {
    const next = await line();
    got = next.got;
    next.socket.destroy();
  }
  two.socket.destroy();
  await listening.close();
});

test('a line that was asked to be a tunnel is closed, whatever comes after and whether or not the caller leaves', async () => {
  const answerBroken = (_: Error, socket: Duplex) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  const options = { host: '127.0.0.1', mostLines: 1, answerBroken };
  const listening = await listen((_, response) => response.end(), 0, options);
  const tunnel = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
  tunnel.on('error', () => undefined).write('CONNECT x:1 HTTP/1.1\r\n\r\n');
  expect(String(await once(tunnel, 'data'))).toContain('400');
  tunnel.write('more');
  for (let got = 'closed'; got !== 'answered'; ) {
    const next = connect(listening.port, '127.0.0.1').on('error', () => undefined);
    next.write('GET / HTTP/1.1\r\n\r\n');
    got = await Promise.race([once(next, 'data').then(() => 'answered'), once(next, 'close').then(() => 'closed')]);
    next.destroy();
  }
  tunnel.destroy();
  await listening.close();
});

describe('a line that was asked to be a tunnel', () => {
  const asked = 'CONNECT x:1 HTTP/1.1\r\n\r\n';

  async function opened(handle: RequestListener) {
    let tell = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const answerBroken = (fault: Error, socket: Duplex): void => {
      socket.once('close', tell);
      if ((socket as { _httpMessage?: object | null })._httpMessage) socket.destroy(fault);
      else socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    };
    const listening = await listen(handle, 0, { host: '127.0.0.1', onBrokenRequest: answerBroken });
    const line = connect(listening.port, '127.0.0.1').on('error', () => undefined);
    return { listening, line, left };
  }

  test('may be torn down, and nothing else with it', async () => {
    const { listening, line, left } = await opened((_, response) => response.end());
    await once(line, 'connect');
    line.write(asked);
    line.resetAndDestroy();
    await left;
    await listening.close();
  });

  test('and has answers before it is closed with them, each told of it', async () => {
    const closed: string[] = [];
    const { listening, line, left } = await opened((request, response) => {
      response.on('close', () => closed.push(request.url ?? ''));
      if (request.url === '/1') response.writeHead(200).write('begun');
    });
    line.write(`GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n${asked}`);
    await left;
    expect(closed.sort()).toEqual(['/1', '/2', '/3']);
    await listening.close();
  });
});
