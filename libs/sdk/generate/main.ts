/** `npm run schemas:sdk`: writes the types, routes and event schema of the SDK from the published documents. */
import { writeFileSync } from 'node:fs';
import { contractFiles, contractFolder } from './files.ts';

for (const [name, text] of Object.entries(contractFiles())) writeFileSync(new URL(name, contractFolder), text);
