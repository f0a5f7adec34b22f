/** The embedded stack in a folder whose name holds whatever means something to somebody, on a machine without a locale. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { embed } from '#deploy/stack/embedded.ts';
import { haltFolder } from '#deploy/stack/halt.ts';
import { projectDir } from '#deploy/stack/install.ts';
import { probes, type ServiceName } from '#deploy/stack/probes.ts';
import { eventually, house } from '#test/integration/tenant.ts';

let root: string;
const locale = { LANG: process.env['LANG'], LC_ALL: process.env['LC_ALL'] };
beforeAll(() => {
  root = join(projectDir, '.data', 'test', `odd-${process.pid}`);
  // Open to all: else Postgres, where root runs it as somebody else, would live in another folder.
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

const names = ['kafka', 'registry', 'postgres', 'redis'] as const satisfies ServiceName[];
const files = ['kafka/data/meta.properties', 'registry/schemas.mv.db'];

// Where an engine runs the backing services there may be no Java to run them with.
const embedded = house().stack.took.kafka === 'embedded' ? describe : describe.skip;

embedded('the stack', () => {
  test('has its data in the folder it was given, however that is named, also when it is started again', async () => {
    const dir = join(root, "Zins & Bücher, a:b;c'd%20#?", 'stack');
    for (const nth of ['first', 'second']) {
      try {
        const addresses = await embed(dir, names, () => undefined, false);
        for (const name of names) await eventually(() => answers(name, addresses[name] ?? ''), 60_000);
        expect({ nth, there: files.filter((file) => existsSync(join(dir, file))) }).toEqual({ nth, there: files });
      } finally {
        await haltFolder(dir, () => undefined);
      }
    }
  }, 300_000);
});

function answers(name: ServiceName, address: string): Promise<boolean> {
  return probes[name](address).then(
    () => true,
    () => false,
  );
}
