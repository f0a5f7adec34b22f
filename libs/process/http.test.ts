import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, test } from '@jest/globals';
import { listen } from './http.ts';

test('whoever comes when all the lines are open is closed at once, and let in when one has gone', async () => {
  const listening = await listen((_, response) => response.end(), 0, { host: '127.0.0.1', mostLines: 2 });
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
