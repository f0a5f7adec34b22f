/** Writes schemas/openapi.json. A test fails if the file is out of date. */
import { writeFileSync } from 'node:fs';
import { openApiText } from '#libs/api/openapi/document.ts';

writeFileSync(new URL('../../schemas/openapi.json', import.meta.url), openApiText);
