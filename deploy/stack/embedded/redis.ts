import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '../install.ts';
import type { Recipe } from './recipe.ts';

export const redis: Recipe = {
  name: 'redis',
  address: (_dir, port) => `redis://127.0.0.1:${port}`,
  async prepare(dir, port, say) {
    const binaries = await installed('redis', dir, say);
    const ours = `${process.platform}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
    const file = readdirSync(binaries).find((name) => name.startsWith('redis-server-') && name.endsWith(ours));
    if (file === undefined) throw new Error(`the embedded Redis has no server for ${ours}: set REDIS_URL`);
    chmodSync(join(binaries, file), 0o755);
    const home = join(dir, 'redis');
    mkdirSync(home, { recursive: true });
    return {
      name: 'redis',
      command: join(binaries, file),
      // Nothing is saved: all that Redis holds is derived, and what is lost with it is mended from Postgres.
      args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', home, '--save', '', '--appendonly', 'no'],
      cwd: home,
      tier: 0,
    };
  },
};
