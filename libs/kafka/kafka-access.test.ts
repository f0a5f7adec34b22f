import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '#libs/runtime/config.ts';
import { askKafka, connectKafka } from './kafka.ts';
import { kafkaAccess } from './kafka-access.ts';

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

describe('every client of Kafka', () => {
  let server: Server;
  let line: Promise<Socket>;
  let address: string;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    line = once(server, 'connection').then(([socket]) => socket as Socket);
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env['KAFKA_TLS'] = 'yes';
  });
  afterEach(() => {
    delete process.env['KAFKA_TLS'];
    server.close();
  });

  test.each([
    ['that works', connectKafka],
    ['that asks whether Kafka is there', askKafka],
  ])(
    '%s goes the way it is told',
    async (_which, client) => {
      const admin = client(address, 'test').admin({ retry: { retries: 0 } });
      const connected = admin.connect().catch(() => undefined);
      const taken = await line;
      const [first] = (await once(taken, 'data')) as [Buffer];
      server.close();
      taken.destroy();
      await connected;
      await admin.disconnect();
      // A handshake of TLS; in the clear the first byte is one of a length.
      expect(first[0]).toBe(0x16);
    },
    20_000,
  );
});

describe('the way to Kafka', () => {
  test('is open where the environment says nothing of it', () => {
    expect(kafkaAccess({})).toEqual({});
    expect(kafkaAccess({ KAFKA_TLS: 'no', KAFKA_CA: '', KAFKA_SASL: '', KAFKA_PASSWORD: '' })).toEqual({});
  });

  test('is encrypted, to brokers vouched for by whom Node trusts or by whom is named', () => {
    expect(kafkaAccess({ KAFKA_TLS: 'yes' })).toEqual({ ssl: true });
    expect(kafkaAccess({ KAFKA_TLS: 'yes', KAFKA_CA: ca })).toEqual({ ssl: { ca: ['a certificate'] } });
  });

  test.each(['plain', 'scram-sha-256', 'scram-sha-512'])('is taken under a name by %s', (mechanism) => {
    const env = { KAFKA_SASL: mechanism, KAFKA_USERNAME: 'lending', KAFKA_PASSWORD: 'opensesame' };
    expect(kafkaAccess(env)).toEqual({ sasl: { mechanism, username: 'lending', password: 'opensesame' } });
  });

  test.each<[string, Record<string, string>, readonly string[]]>([
    [
      'words it does not know',
      { KAFKA_TLS: 'true', KAFKA_SASL: 'gssapi' },
      ['KAFKA_TLS is none of yes, no', 'KAFKA_SASL is none of plain, scram-sha-256, scram-sha-512'],
    ],
    [
      'a certificate for a line that is not encrypted',
      { KAFKA_CA: 'ca.pem' },
      ['KAFKA_CA is set, but KAFKA_TLS is not yes'],
    ],
    [
      'a certificate that is not there',
      { KAFKA_TLS: 'yes', KAFKA_CA: '/gone.pem' },
      ['KAFKA_CA names no file that can be read: ENOENT'],
    ],
    [
      'a mechanism without a name',
      { KAFKA_SASL: 'plain', KAFKA_PASSWORD: 'opensesame' },
      ['KAFKA_SASL is set, but not KAFKA_USERNAME'],
    ],
    [
      'a mechanism without anything',
      { KAFKA_SASL: 'plain' },
      ['KAFKA_SASL is set, but not KAFKA_USERNAME and KAFKA_PASSWORD'],
    ],
    [
      'a name without a mechanism',
      { KAFKA_USERNAME: 'lending', KAFKA_PASSWORD: 'opensesame' },
      ['KAFKA_USERNAME is set, but not KAFKA_SASL', 'KAFKA_PASSWORD is set, but not KAFKA_SASL'],
    ],
  ])('is not taken with %s', (_what, env, problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });
});
