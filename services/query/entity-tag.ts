/** Entity tags, built from everything an answer depends on, without building the answer. */
import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '#libs/schema/json.ts';

/** A strong tag: two answers with the same tag are the same bytes. */
export function entityTag(parts: readonly Json[]): string {
  return `"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 27)}"`;
}

/** One tag of a list (RFC 9110, 8.8.3 and 5.6.1), up to where the next one may begin. */
const listedTag = /[\t ,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/y;

/** Whether `If-None-Match` names the tag, alone, in a list, weakly, or with `*`. An invalid header names no tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  let isMatch = false;
  let end = 0;
  listedTag.lastIndex = 0;
  for (let match = listedTag.exec(header); match !== null; match = listedTag.exec(header)) {
    isMatch ||= match[1] === tag;
    end = listedTag.lastIndex;
  }
  return isMatch && /^[\t ,]*$/.test(header.slice(end));
}

const projectDir = fileURLToPath(new URL('../..', import.meta.url));
const sourceFolders = ['libs', 'schemas', 'services'];

/** Files that are executed or read at run time. Build results differ between machines and are left out. */
const isSource = /^(?!.*(?:^|\/)(?:dist|node_modules)\/).*\.(?:ts|sql|json|avsc)$/;
const isTest = /\.test\.ts$|\/testing\//;

/** A digest of the source files and the Node version: the same on every instance of a release. */
export function releaseDigest(root: string = projectDir, nodeVersion: string = process.version): string {
  const digest = createHash('sha256').update(`${nodeVersion}\n`);
  const files = sourceFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const sources = files.filter((name) => isSource.test(name) && !isTest.test(name)).sort();
  for (const file of ['package-lock.json', ...sources]) {
    const content = readFileSync(join(root, file));
    digest.update(`${file} ${content.length}\n`).update(content);
  }
  return digest.digest('hex').slice(0, 16);
}
