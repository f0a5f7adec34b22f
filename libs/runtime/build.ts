/** Which release this is: the version of the package, and the commit where the image states it. */
import { readFileSync } from 'node:fs';

interface Build {
  readonly version: string;
  /** Empty in a checkout. */
  readonly commit: string;
}

/** Written by the build of the image. */
export const commitFile = 'commit';

const projectFolder = new URL('../../', import.meta.url);

export function readVersion(): string {
  const text = readFileSync(new URL('package.json', projectFolder), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

export function readBuild(folder = projectFolder): Build {
  return { version: readVersion(), commit: readCommit(folder) };
}

/** For people: `0.1.0 (4f2a9c1)`. */
export function describeBuild({ version, commit }: Build = readBuild()): string {
  return commit === '' ? version : `${version} (${commit.slice(0, 12)})`;
}

function readCommit(folder: URL): string {
  try {
    return readFileSync(new URL(commitFile, folder), 'utf8').trim();
  } catch {
    return '';
  }
}
