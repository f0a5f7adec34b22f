import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { silentLogger } from '#libs/runtime/logging.ts';
import { Connection } from './connection-buffer.ts';

const logger = { ...silentLogger, namespace: () => logger, debug: () => undefined, error: () => undefined };

test('a connection that is opened again after it was reset within an answer keeps nothing of the answer', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socketFactory = ({ onConnect }: { onConnect: () => void }) => connect({ host: '127.0.0.1', port }, onConnect);
  const connection = new Connection({
    host: '127.0.0.1',
    port,
    socketFactory,
    logger,
    connectionTimeout: 5_000,
    requestTimeout: 5_000,
  });
  try {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    await connection.connect();
    const [socket] = await accepted;
    // Four of the hundred bytes that the length states.
    socket.write(Buffer.from([0, 0, 0, 100, 1, 2, 3, 4]));
    while (connection.bytesBuffered === 0) await new Promise(setImmediate);
    socket.resetAndDestroy();
    while (connection.isConnected()) await new Promise(setImmediate);
    await connection.connect();
    const { chunks, bytesBuffered, bytesNeeded } = connection;
    expect({ chunks, bytesBuffered, bytesNeeded }).toEqual({ chunks: [], bytesBuffered: 0, bytesNeeded: 4 });
  } finally {
    await connection.disconnect();
    server.close();
  }
});
