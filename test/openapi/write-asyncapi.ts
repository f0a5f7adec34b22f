/** `npm run schemas:topic`: writes schemas/asyncapi.json. A test fails when it is out of date. */
import { writeFileSync } from 'node:fs';
import { asyncapiText } from '#libs/kafka/asyncapi.ts';

writeFileSync(new URL('../../schemas/asyncapi.json', import.meta.url), asyncapiText());
