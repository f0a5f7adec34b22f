import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { engineAnswers } from './containers.ts';
import { fromEnvironment } from './environment.ts';

describe('a service named in the environment', () => {
  test('that does not answer fails the start and is told by its variable', async () => {
    const dead = { REDIS_URL: 'redis://127.0.0.1:1', KAFKA_BROKERS: '127.0.0.1:1' };
    await expect(fromEnvironment(dead)).rejects.toThrow(
      /KAFKA_BROKERS is set, but no kafka answers there.*\nREDIS_URL is set/,
    );
  });

  test('that answers as something else fails the start', async () => {
    const other = createServer((_request, response) => response.end('<html></html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      await expect(fromEnvironment({ SCHEMA_REGISTRY_URL: url })).rejects.toThrow('SCHEMA_REGISTRY_URL is set');
    } finally {
      other.close();
    }
  });

  test('is not there where its variable is empty', async () => {
    expect(await fromEnvironment({ DATABASE_URL: '' })).toEqual({});
  });
});

describe('a container engine', () => {
  test('is there where it answers its ping', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'lending-engine-'));
    const socket = join(dir, 'docker.sock');
    const engine = createServer((request, response) => response.writeHead(request.url === '/_ping' ? 200 : 404).end());
    await new Promise<void>((resolve) => engine.listen(socket, resolve));
    try {
      expect(await engineAnswers(`unix://${socket}`)).toBe(true);
    } finally {
      engine.close();
      rmSync(dir, { recursive: true });
    }
  });

  test('is not there where only its command or its address is', async () => {
    expect(await engineAnswers('unix:///nowhere/docker.sock')).toBe(false);
    expect(await engineAnswers('tcp://127.0.0.1:1')).toBe(false);
  });
});
