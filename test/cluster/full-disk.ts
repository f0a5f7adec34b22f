/** A full disk: the data of one server lie on a small tmpfs that is filled. Needs root. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterLayout } from '#deploy/cluster/layout.ts';
import { type ClusterControl, seconds } from './cluster-control.ts';
import type { Fault } from './fault.ts';

const heldSeconds = 15;
const diskMebibytes = 1_536;

/** The folders that get a small disk each, before the cluster starts. */
const smallDisks = ['kafka-3', 'postgres-1', 'postgres-2'];

/** Why this machine has no small disks. */
export function mountSmallDisks(dir: string): string | undefined {
  if (process.getuid?.() !== 0) return 'a small disk is mounted by root alone';
  try {
    for (const name of smallDisks) {
      const folder = join(dir, name);
      execFileSync('mkdir', ['-p', folder]);
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m`, 'lending-cluster', folder], {
        stdio: 'ignore',
      });
    }
    return undefined;
  } catch {
    unmountSmallDisks(dir);
    return 'this machine does not allow mounts';
  }
}

export function unmountSmallDisks(dir: string): void {
  for (const name of smallDisks) {
    try {
      execFileSync('umount', ['-l', join(dir, name)], { stdio: 'ignore' });
    } catch {
      // It is not mounted.
    }
  }
}

function isSmallDisk({ dir }: ClusterLayout, name: string): boolean {
  const { blocks, bsize } = statfsSync(join(dir, name));
  return blocks * bsize <= diskMebibytes * 1024 * 1024;
}

export function fillDisk(target: 'kafka-3' | 'primary' | 'standby'): Fault {
  return {
    name: `disk-full-${target}`,
    missing: ({ cluster }) =>
      smallDisks.every((name) => isSmallDisk(cluster.layout, name))
        ? undefined
        : 'no small disk is mounted: root alone can mount one',
    async run({ control, lifted }) {
      const name = target === 'kafka-3' ? target : await control[target]();
      const filler = join(control.cluster.layout.dir, name, 'filler');
      fill(filler);
      await seconds(heldSeconds);
      rmSync(filler, { force: true });
      await restartIfStopped(control, name);
      lifted();
    },
  };
}

/** Writes until the disk is full. */
function fill(file: string): void {
  const block = Buffer.alloc(1024 * 1024);
  try {
    for (;;) writeFileSync(file, block, { flag: 'a' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC' || !existsSync(file)) throw cause;
  }
}

/** A broker without a folder to write to stops. Patroni starts its Postgres again itself. */
async function restartIfStopped(control: ClusterControl, name: string): Promise<void> {
  if (!control.isRunning(name)) await control.restart(name);
}
