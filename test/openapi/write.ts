/** Writes the document where others read it: schemas/openapi.json. A test holds the file to the code. */
import { writeFileSync } from 'node:fs';
import { openApiText } from '#libs/api/openapi/published.ts';

writeFileSync(new URL('../../schemas/openapi.json', import.meta.url), openApiText);
