import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '#libs/runtime/config.ts';
import { Health } from '#libs/runtime/health.ts';
import { eventually } from '#test/support/tenant.ts';
import { connectKafka, kafkaAccess, kafkaCheck, probeKafka } from './kafka-client.ts';

let dir: string;
let ca: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-kafka-access-'));
  ca = join(dir, 'ca.pem');
  writeFileSync(ca, 'a certificate');
});
afterAll(() => rmSync(dir, { recursive: true }));

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    kafkaAccess(env);
  } catch (cause) {
    if (cause instanceof ConfigurationError) return cause.problems;
    throw cause;
  }
  return [];
}

describe('every Kafka client', () => {
  let server: Server;
  let connection: Promise<Socket>;
  let address: string;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = once(server, 'connection').then(([socket]) => socket as Socket);
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env['KAFKA_TLS'] = 'yes';
  });
  afterEach(() => {
    delete process.env['KAFKA_TLS'];
    server.close();
  });

  test.each([
    ['of a service', connectKafka],
    ['of a health check', probeKafka],
  ])(
    'the client %s uses TLS when it is configured',
    async (_which, createClient) => {
      const admin = createClient(address, 'test').admin({ retry: { retries: 0 } });
      const connected = admin.connect().catch(() => undefined);
      const socket = await connection;
      const [first] = (await once(socket, 'data')) as [Buffer];
      server.close();
      socket.destroy();
      await connected;
      await admin.disconnect();
      // 0x16 begins a TLS handshake; without TLS the first byte is part of a length.
      expect(first[0]).toBe(0x16);
    },
    20_000,
  );
});

describe('the Kafka connection settings', () => {
  test('are plain text without credentials by default', () => {
    expect(kafkaAccess({})).toEqual({});
    expect(kafkaAccess({ KAFKA_TLS: 'no', KAFKA_CA: '', KAFKA_SASL: '', KAFKA_PASSWORD: '' })).toEqual({});
  });

  test('enable TLS with the certificate authorities of Node or with the given one', () => {
    expect(kafkaAccess({ KAFKA_TLS: 'yes' })).toEqual({ ssl: true });
    expect(kafkaAccess({ KAFKA_TLS: 'yes', KAFKA_CA: ca })).toEqual({ ssl: { ca: ['a certificate'] } });
  });

  test.each(['plain', 'scram-sha-256', 'scram-sha-512'])('enable SASL with %s', (mechanism) => {
    const env = { KAFKA_SASL: mechanism, KAFKA_USERNAME: 'lending', KAFKA_PASSWORD: 'opensesame' };
    expect(kafkaAccess(env)).toEqual({ sasl: { mechanism, username: 'lending', password: 'opensesame' } });
  });

  test('take a password that has changed in its file for the next connection', async () => {
    const file = join(dir, 'password');
    writeFileSync(file, 'old');
    const { sasl } = kafkaAccess({ KAFKA_SASL: 'plain', KAFKA_USERNAME: 'lending', KAFKA_PASSWORD_FILE: file });
    expect(sasl).toEqual({ mechanism: 'plain', username: 'lending', password: 'old' });
    writeFileSync(file, 'renewed');
    await eventually(async () => (sasl as { password: string }).password === 'renewed');
  });

  test.each<[string, Record<string, string>, readonly string[]]>([
    [
      'unknown values',
      { KAFKA_TLS: 'true', KAFKA_SASL: 'gssapi' },
      [
        'KAFKA_TLS is "true"; set one of yes, no',
        'KAFKA_SASL is "gssapi"; set one of plain, scram-sha-256, scram-sha-512',
      ],
    ],
    [
      'a CA certificate without TLS',
      { KAFKA_CA: 'ca.pem' },
      ['KAFKA_CA is set but KAFKA_TLS is not; set KAFKA_TLS=yes or unset KAFKA_CA'],
    ],
    [
      'a CA certificate that does not exist',
      { KAFKA_TLS: 'yes', KAFKA_CA: '/missing.pem' },
      ['KAFKA_CA is "/missing.pem", which cannot be read (ENOENT); set the path of a readable PEM file'],
    ],
    [
      'a mechanism without a user name',
      { KAFKA_SASL: 'plain', KAFKA_PASSWORD: 'opensesame' },
      ['KAFKA_SASL is set but KAFKA_USERNAME is not; set both'],
    ],
    [
      'a mechanism without credentials',
      { KAFKA_SASL: 'plain' },
      ['KAFKA_SASL is set but KAFKA_USERNAME and KAFKA_PASSWORD are not; set both'],
    ],
    [
      'credentials without a mechanism',
      { KAFKA_USERNAME: 'lending', KAFKA_PASSWORD: 'opensesame' },
      [
        'KAFKA_USERNAME is set but KAFKA_SASL is not; set KAFKA_SASL or unset KAFKA_USERNAME',
        'KAFKA_PASSWORD is set but KAFKA_SASL is not; set KAFKA_SASL or unset KAFKA_PASSWORD',
      ],
    ],
  ])('are rejected: %s', (_what, env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });
});

describe('the readiness check of Kafka', () => {
  let server: Server | undefined;
  const connections = new Set<Socket>();
  afterEach(() => {
    for (const connection of connections) connection.destroy();
    connections.clear();
    server?.close();
    server = undefined;
  });

  /** Listens on a port without being a broker. */
  async function listen(onConnection: (connection: Socket) => void): Promise<number> {
    server = createServer((connection) => {
      connections.add(connection);
      connection.on('error', () => undefined);
      onConnection(connection);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function closedPort(): Promise<number> {
    const port = await listen(() => undefined);
    server?.close();
    return port;
  }

  test('reports a refused connection immediately', async () => {
    const health = new Health();
    health.markStarted();
    health.addCheck('kafka', kafkaCheck(probeKafka(`127.0.0.1:${await closedPort()}`, 'check')));
    const startedAt = performance.now();
    expect((await health.readiness()).not_ready).toEqual([{ name: 'kafka', reason: 'ECONNREFUSED' }]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('connects to each configured broker once and does not retry', async () => {
    let connectionCount = 0;
    const port = await listen((connection) => {
      connectionCount += 1;
      connection.destroy();
    });
    const check = kafkaCheck(probeKafka(`127.0.0.1:${port},127.0.0.1:${port}`, 'check'));
    await expect(check()).rejects.toThrow();
    await sleep(700);
    expect(connectionCount).toBe(2);
  });

  test('opens no second connection while one check is running', async () => {
    let connectionCount = 0;
    const port = await listen(() => {
      connectionCount += 1;
    });
    const check = kafkaCheck(probeKafka(`127.0.0.1:${port}`, 'check'));
    await Promise.allSettled([check(), check(), sleep(100).then(check)]);
    expect(connectionCount).toBe(1);
  });
});
