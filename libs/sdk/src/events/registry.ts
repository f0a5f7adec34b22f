/** Schemas by the id a record carries, from a registry that speaks Confluent's API. */
import type { SchemaOf } from './decoding.ts';

export interface RegistryAddress {
  readonly url: string;
  /** What the registry wants to see, an `Authorization` for one. */
  readonly headers?: { readonly [name: string]: string };
}

const withinMs = 10_000;

export function schemasOf({ url, headers = {} }: RegistryAddress): SchemaOf {
  const base = url.replace(/\/+$/, '');
  return async (id) => {
    const answer = await fetch(`${base}/schemas/ids/${id}`, { headers, signal: AbortSignal.timeout(withinMs) });
    if (!answer.ok) throw new Error(`the schema registry answered ${answer.status} for schema ${id}`);
    const { schema } = (await answer.json()) as { schema: string };
    return JSON.parse(schema) as object;
  };
}
