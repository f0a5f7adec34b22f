/** Embedded backing services in a folder with special characters in its name, on a machine without a locale. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { startEmbedded } from '#deploy/dev/embedded.ts';
import { type BackingServiceName, probes } from '#deploy/dev/environment.ts';
import { stopFolder } from '#deploy/dev/process-supervisor.ts';
import { missingForEmbeddedStack } from '#test/support/embedded-stack.ts';
import { announceSkip } from '#test/support/skip.ts';
import { eventually } from '#test/support/tenant.ts';

let root: string;
const locale = { LANG: process.env['LANG'], LC_ALL: process.env['LC_ALL'] };
beforeAll(() => {
  root = join(projectDir, '.data', 'test', `unusual-${process.pid}`);
  // Readable by every user: otherwise Postgres, which root runs as another user, would keep its data elsewhere.
  mkdirSync(root, { recursive: true, mode: 0o755 });
  Object.assign(process.env, { LANG: '', LC_ALL: 'C' });
});
afterAll(() => {
  for (const [name, value] of Object.entries(locale)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(root, { recursive: true, force: true });
});

const names = ['kafka', 'registry', 'postgres', 'redis'] as const satisfies BackingServiceName[];
const files = ['kafka/data/meta.properties', 'registry/schemas.mv.db'];

const missing = await missingForEmbeddedStack();
if (missing !== undefined) announceSkip('a stack in a folder with an unusual name', missing);

(missing === undefined ? describe : describe.skip)('embedded backing services', () => {
  test('keep their data in the given folder, whatever its name, also after a restart', async () => {
    const dir = join(root, "Zins & Bücher, a:b;c'd%20#?", 'stack');
    for (const start of ['first', 'second']) {
      try {
        const addresses = await startEmbedded(dir, names, () => undefined);
        for (const name of names) await eventually(() => isAnswering(name, addresses[name] ?? ''), 60_000);
        expect({ start, found: files.filter((file) => existsSync(join(dir, file))) }).toEqual({ start, found: files });
      } finally {
        await stopFolder(dir, () => undefined);
      }
    }
  });
});

function isAnswering(name: BackingServiceName, address: string): Promise<boolean> {
  return probes[name](address).then(
    () => true,
    () => false,
  );
}
