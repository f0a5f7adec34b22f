/** Writes the files of the image as one folder per layer: what changes rarely is not pulled again with each release. */
import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { commitFile } from '#libs/runtime/build.ts';
import { projectDir } from '../dev/dev-files.ts';
import { unpackDebianPackages } from '../tools/debian-packages.ts';
import { imageFolder, imageUser } from './image-config.ts';
import { packageFiles, sourceFiles } from './image-files.ts';

export const layerNames = ['base', 'node', 'packages', 'app'] as const;

/** What Node is linked with. It brings its own root certificates and time zones. */
const basePackages = ['libc6', 'libgcc-s1', 'libstdc++6'];
/** Character set conversion, which Node does itself, and documentation but for the licences. */
const unusedFolders = ['usr/lib/*/gconv', 'usr/lib/*/audit', 'usr/share/lintian', 'usr/share/gdb', 'usr/share/gcc'];
/** The file system is mounted read-only: what a runtime mounts must exist. */
const mountPoints = ['dev', 'proc', 'sys', 'tmp', 'etc'];

/** Without a commit the services of the image state none. */
export async function writeRootFolders(target: string, commit: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  await writeBase(join(target, 'base'));
  const node = join(target, 'node', 'usr', 'local', 'bin', 'node');
  copy(realpathSync(join(projectDir, 'node_modules', '.bin', 'node')), node);
  chmodSync(node, 0o755);
  copyFilesToApp(await packageFiles(), join(target, 'packages'));
  copyFilesToApp(sourceFiles(), join(target, 'app'));
  if (commit !== '') writeFileSync(join(target, 'app', imageFolder, commitFile), `${commit}\n`);
  for (const layer of layerNames) normalize(join(target, layer));
}

async function writeBase(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  await unpackDebianPackages(basePackages, target);
  for (const folder of unusedFolders) removeMatches(target, folder);
  for (const folder of mountPoints) mkdirSync(join(target, folder), { recursive: true });
  const [uid, gid] = imageUser.split(':');
  writeFileSync(join(target, 'etc', 'passwd'), `root:x:0:0::/:\nlending:x:${uid}:${gid}::/tmp:\n`);
  writeFileSync(join(target, 'etc', 'group'), `root:x:0:\nlending:x:${gid}:\n`);
}

function removeMatches(root: string, pattern: string): void {
  const [before = '', after = ''] = pattern.split('*/');
  const parents = pattern.includes('*')
    ? readdirSync(join(root, before)).map((each) => join(before, each, after))
    : [pattern];
  for (const each of parents) rmSync(join(root, each), { recursive: true, force: true });
}

/** Into the folder of the application in a layer. */
export function copyFilesToApp(files: readonly string[], layer: string): void {
  for (const file of files) copy(join(projectDir, file), join(layer, imageFolder, file));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  // A package may link to another one: the link is kept, as its target is in the list too.
  cpSync(from, to, { verbatimSymlinks: true });
}

/** Readable for every user, and of one time, so that equal files make equal layers. */
function normalize(path: string): void {
  const stats = lstatSync(path);
  if (stats.isDirectory()) for (const name of readdirSync(path)) normalize(join(path, name));
  if (!stats.isSymbolicLink()) chmodSync(path, stats.isDirectory() || stats.mode & 0o100 ? 0o755 : 0o644);
  lutimesSync(path, 0, 0);
}
