/** `npm run schemas:sdk`: writes the types, routes and event schema of the SDKs from the published documents. */
import { writeFileSync } from 'node:fs';
import { contractFiles } from './files.ts';

for (const { url, text } of Object.values(contractFiles())) writeFileSync(url, text);
