/** The release before this one, as a checkout with packages of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';

/** The state before issue 22, until there are releases. */
const previousCommit = process.env['UPGRADE_FROM'] ?? 'd434295';

/** Why the checkout cannot be made here; undefined where it can. */
export function missingPreviousRelease(): string | undefined {
  const git = spawnSync('git', ['cat-file', '-e', `${previousCommit}^{commit}`], { cwd: projectDir });
  if (git.error !== undefined) return 'git is not installed';
  return git.status === 0
    ? undefined
    : `this clone does not hold the commit ${previousCommit}; fetch the whole history`;
}

/** Returns the folder of the checkout. */
export function checkOutPreviousRelease(root: string): string {
  const tree = join(root, 'previous-release');
  mkdirSync(tree, { recursive: true });
  const archive = execFileSync('git', ['archive', previousCommit], { cwd: projectDir, maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', tree], { input: archive });
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: tree,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return tree;
}
