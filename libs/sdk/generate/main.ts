/** `npm run generate:sdk`: writes what of the SDK follows from the service's published documents. */
import { writeFileSync } from 'node:fs';
import { contractFiles, contractFolder } from './files.ts';

for (const [name, text] of Object.entries(contractFiles())) writeFileSync(new URL(name, contractFolder), text);
