/** Registers the JSON Schema of each kind's body, for consumers that look schemas up in the registry. No record names one by its id. */
import { isDeepStrictEqual } from 'node:util';
import { factSchemas } from './fact-schemas.ts';
import type { Compatibility, SchemaRegistry } from './schema-registry.ts';
import { topics } from './topics.ts';

export function factSchemaSubject(kind: string): string {
  return `${topics.bookEvents}.body.${kind}`;
}

/** A consumer with an earlier schema can read the bodies that a later release writes. */
export const factSchemaCompatibility: Compatibility = 'FORWARD_TRANSITIVE';

const concurrentRequests = 8;

export async function registerFactSchemas(registry: SchemaRegistry): Promise<void> {
  const pending = Object.entries(factSchemas);
  const registerNext = async (): Promise<void> => {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [kind, schema] = next;
      const subject = factSchemaSubject(kind);
      const latest = await registry.latestSchema(subject);
      if (latest !== undefined && isDeepStrictEqual(JSON.parse(latest), schema)) continue;
      await registry.register(subject, schema, factSchemaCompatibility, 'JSON');
    }
  };
  await Promise.all(Array.from({ length: concurrentRequests }, registerNext));
}
