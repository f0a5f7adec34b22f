/**
 * `npm run schemas:topic`: writes schemas/asyncapi.json and schemas/facts. Tests fail when they are out of date.
 * `npm run schemas:topic -- --release` also writes the schemas that later releases may only add to.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { asyncapiText } from '#libs/kafka/asyncapi.ts';
import { factSchemas } from '#libs/kafka/fact-schemas.ts';

const folder = new URL('../../schemas/', import.meta.url);
writeFileSync(new URL('asyncapi.json', folder), asyncapiText());

const facts = new URL('facts/', folder);
rmSync(facts, { recursive: true, force: true });
mkdirSync(facts);
for (const [kind, schema] of Object.entries(factSchemas)) {
  writeFileSync(new URL(`${kind}.json`, facts), `${JSON.stringify(schema, null, 2)}\n`);
}

if (process.argv.includes('--release')) {
  writeFileSync(new URL('published-facts.json', folder), `${JSON.stringify(factSchemas, null, 1)}\n`);
}
