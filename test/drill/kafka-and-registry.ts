/** The embedded Kafka and schema registry of a drill: they lose all of their data and start empty. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BackingServices } from '#deploy/dev/backing-services.ts';
import { parseRegistryUrl } from '#libs/kafka/schema-registry.ts';

/** What formatting a folder writes. The broker starts on them as on a new folder. */
const formattedFiles = ['meta.properties', 'bootstrap.checkpoint'];

/** In the new registry the schemas of the cell have other ids than before. */
export async function loseKafkaAndRegistry(stack: BackingServices): Promise<void> {
  await Promise.all([stack.kill('kafka'), stack.kill('registry')]);
  removeAllBut(join(stack.dir, 'kafka', 'data'), (name) => formattedFiles.includes(name));
  removeAllBut(join(stack.dir, 'registry'), (name) => !name.startsWith('schemas'));
  await Promise.all([stack.start('kafka'), stack.start('registry')]);
  await takeFirstSchemaId(stack);
}

function removeAllBut(dir: string, isKept: (name: string) => boolean): void {
  for (const name of readdirSync(dir).filter((each) => !isKept(each))) rmSync(join(dir, name), { recursive: true });
}

/** Otherwise the schemas would be registered in the same order again, under the same ids. */
async function takeFirstSchemaId({ schemaRegistryUrl }: BackingServices): Promise<void> {
  const { url, headers } = parseRegistryUrl(schemaRegistryUrl);
  const response = await fetch(`${url}/subjects/drill/versions`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify({ type: 'record', name: 'Drill', fields: [] }) }),
  });
  if (!response.ok) throw new Error(`the registry answered ${response.status}: ${await response.text()}`);
}
