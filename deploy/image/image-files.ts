/** The files of the project and of its packages that the image holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { packageAssets as siteAssets } from '#libs/site/package-assets.ts';
import { packageAssets as consoleAssets } from '#services/console/package-assets.ts';
import { projectDir } from '../dev/dev-files.ts';
import { imageCommands } from './image-config.ts';

const sourceFolders = ['libs', 'schemas', 'services', 'docs/guide'];
const isSource = /\.(?:ts|sql|json|avsc|css|js|svg)$|^(?:docs\/guide\/.*|libs\/sdk(?:-\w+)?\/README)\.md$/;
const isExcluded = /\.test\.ts$|(?:^|\/)(?:testing|dist|node_modules)\//;

type PackageLock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> };

/** Started as threads or processes; every other file is reached by imports from the commands. */
export const startedEntries = [
  'libs/auth/verification-worker-entry.ts',
  'libs/site/render-site-entry.ts',
  'libs/verify/rebuild/fold-thread.ts',
  'services/processor/movement-process-entry.ts',
];

/** Found by its name when the package is loaded; the package has a build for each of a dozen platforms. */
const libsodiumBuild = `sodium-native/prebuilds/${process.platform}-${process.arch}/sodium-native.node`;

/** The project's own files, relative to its folder: sources without tests, and what names the packages. */
export function sourceFiles(): string[] {
  const files = sourceFolders.flatMap((folder) =>
    readdirSync(join(projectDir, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return [
    'package.json',
    'package-lock.json',
    ...files.filter((name) => isSource.test(name) && !isExcluded.test(name)),
  ];
}

/**
 * The files of packages that the services load. The registry's client depends on the key services of three clouds: with
 * all files of all production packages the image would be twice as large.
 */
export async function packageFiles(): Promise<string[]> {
  const entries = [...Object.values(imageCommands).map((args) => args.at(-1) ?? ''), ...startedEntries];
  const { fileList } = await nodeFileTrace(
    entries.map((entry) => join(projectDir, entry)),
    { base: projectDir, conditions: ['node', 'import', 'default'], readFile: readAsJavaScript },
  );
  const assets = [...Object.values(consoleAssets), ...Object.values(siteAssets), libsodiumBuild];
  const packages = [...fileList, ...assets.map((file) => `node_modules/${file}`)].filter((file) =>
    file.startsWith('node_modules/'),
  );
  // A package may load another one only where it is installed, as debug does with supports-color.
  const development = developmentPackages();
  return packages.filter((file) => !development.some((path) => file.startsWith(`${path}/`)));
}

export function developmentPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(projectDir, 'package-lock.json'), 'utf8')) as PackageLock;
  return Object.keys(lock.packages).filter((path) => lock.packages[path]?.dev === true);
}

/** Null where there is no such file. */
async function readAsJavaScript(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8');
    return path.endsWith('.ts') && !path.includes('/node_modules/') ? stripTypeScriptTypes(text) : text;
  } catch (cause) {
    if (['ENOENT', 'EISDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null;
    throw cause;
  }
}
