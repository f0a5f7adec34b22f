/** `npm run schemas:bruno`: writes the Bruno collection. A test fails if it is out of date. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectionFiles } from './collection.ts';

const folder = join(import.meta.dirname, '../../../schemas/bruno');
rmSync(folder, { recursive: true, force: true });
for (const [path, text] of collectionFiles()) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
