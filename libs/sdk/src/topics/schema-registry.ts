/** Reads schemas by id from a registry with the Confluent API. */
import type { SchemaOf } from './avro-decoder.ts';

export interface RegistryAddress {
  readonly url: string;
  /** Such as an `Authorization`. */
  readonly headers?: { readonly [name: string]: string };
}

const requestTimeoutMs = 10_000;

export function registrySchemas({ url, headers = {} }: RegistryAddress): SchemaOf {
  const base = url.replace(/\/+$/, '');
  return async (id) => {
    const answer = await fetch(`${base}/schemas/ids/${id}`, { headers, signal: AbortSignal.timeout(requestTimeoutMs) });
    if (!answer.ok) throw new Error(`the schema registry returned ${answer.status} for schema ${id}; expected 200`);
    const { schema } = (await answer.json()) as { schema: string };
    return JSON.parse(schema) as object;
  };
}
