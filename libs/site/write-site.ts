/** `npm run docs -- FOLDER`: writes the site as static files, to be served from the root of any web server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { staticSiteFiles } from './site.ts';

const [folder = '.data/docs'] = process.argv.slice(2);
const files = staticSiteFiles();
for (const { url, type, content } of files) {
  const file = join(folder, type.startsWith('text/html') ? join(url, 'index.html') : url);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
console.log(`${files.length} files in ${resolve(folder)}`);
