/** Services that do not start say why where the start was typed, not in a file alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { haltFolder } from '#deploy/stack/halt.ts';
import type { StackFacts } from '#deploy/stack/stack.ts';
import { startServices } from './house.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-house-'));
  process.env['GATEWAY_PROCESSES'] = 'many';
});
afterEach(async () => {
  delete process.env['GATEWAY_PROCESSES'];
  await haltFolder(dir, () => undefined);
  rmSync(dir, { recursive: true, force: true });
});

/** Nobody answers there. */
const stack = {
  dir: '/nowhere',
  kafkaBrokers: '127.0.0.1:1',
  schemaRegistryUrl: 'http://127.0.0.1:1',
  databaseUrl: 'postgres://127.0.0.1:1/lending',
  servicesDatabaseUrl: 'postgres://127.0.0.1:1/lending',
  redisUrl: 'redis://127.0.0.1:1',
  took: { kafka: 'embedded', registry: 'embedded', postgres: 'embedded', redis: 'embedded' },
} as const satisfies StackFacts;

test('a start of which a service does not start ends with what that service said', async () => {
  await expect(startServices({ dir, stack, say: () => undefined })).rejects.toThrow(
    /^gateway ended before it was ready; its log is .*gateway\.log, which ends:\n[\s\S]*GATEWAY_PROCESSES is not a whole number from 1 to 256$/,
  );
}, 30_000);
