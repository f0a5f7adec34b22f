/** `npm run schemas:topic`: writes the document of the topic, which a test holds to the code. */
import { writeFileSync } from 'node:fs';
import { asyncapiText } from './asyncapi.ts';

writeFileSync(new URL('../../schemas/asyncapi.json', import.meta.url), asyncapiText());
