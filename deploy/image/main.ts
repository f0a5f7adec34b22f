/**
 * `npm run image`: builds the image of all services without a container engine, as an OCI layout in `.data/image` and as
 * a tar file beside it. `--root FOLDER` only writes the files, for the Dockerfile. `--commit` states the commit outside a checkout.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from '../dev/dev-files.ts';
import { requireProgram } from '../tools/programs.ts';
import { packImage } from './oci-layout.ts';
import { layerNames, writeRootFolders } from './root-folders.ts';

const { values } = parseArgs({
  options: { root: { type: 'string' }, tag: { type: 'string', default: 'latest' }, commit: { type: 'string' } },
});
const dir = join(projectDir, '.data', 'image');
const root = values.root ?? join(dir, 'root');

const commit = values.commit ?? readCommit();

await writeRootFolders(root, commit);
if (values.root === undefined) {
  const umoci = await requireProgram('umoci', console.log);
  const { archive, compressedBytes } = await packImage({
    umoci,
    root,
    layout: join(dir, 'lending'),
    tag: values.tag,
    commit,
  });
  console.log(`${archive}: ${megabytes(compressedBytes)} MB compressed, ${megabytes(folderBytes(root))} MB unpacked`);
  for (const layer of layerNames) console.log(`  ${layer.padEnd(8)} ${megabytes(folderBytes(join(root, layer)))} MB`);
}

/** With `-dirty` where files were changed after it; empty without a checkout. */
function readCommit(): string {
  const describe = ['describe', '--always', '--exclude=*', '--abbrev=40', '--dirty'];
  const { status, stdout } = spawnSync('git', describe, { cwd: projectDir, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => lstatSync(join(folder, name)));
  return files.filter((stats) => stats.isFile()).reduce((sum, { size }) => sum + size, 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
