/** Which release answers: all that its answers can come from, as the files themselves say, so that no one has to remember to count. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const house = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['libs', 'schemas', 'services'];

/** What runs and what is read by it. Tests, and what one machine made for itself, lie beside one instance and not another. */
const isSource = /^(?!.*(?:^|\/)(?:dist|node_modules)\/).*\.(?:ts|sql|json|avsc)$/;
const isTest = /\.test\.ts$/;

/** The same on every instance of a release: neither times nor places are asked. */
export function releaseDigest(root: string = house, nodeVersion: string = process.version): string {
  const hash = createHash('sha256').update(`${nodeVersion}\n`);
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const sources = found.filter((name) => isSource.test(name) && !isTest.test(name)).sort();
  for (const file of ['package-lock.json', ...sources]) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}
