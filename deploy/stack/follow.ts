/** Tells when a process of a folder has another pid: what died and was started again, by whichever starter. */
import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { pidsIn } from './processes.ts';

export interface Following {
  close(): void;
}

const settleMs = 20;

/** Called at once with what lives in the folders, and again whenever that is something else. */
export function followPids(dirs: readonly string[], tell: (pids: Record<string, number>) => void): Following {
  let last = '';
  const look = (): void => {
    const pids = Object.assign({}, ...dirs.map(pidsIn)) as Record<string, number>;
    const now = JSON.stringify(pids);
    if (now === last) return;
    last = now;
    tell(pids);
  };
  let timer: NodeJS.Timeout | undefined;
  const watchers = dirs.map((dir) => {
    const table = join(dir, 'processes');
    mkdirSync(table, { recursive: true });
    return watch(table, () => {
      clearTimeout(timer);
      timer = setTimeout(look, settleMs);
    });
  });
  look();
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
