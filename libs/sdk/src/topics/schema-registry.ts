/** Reads schemas by id from a registry with the Confluent API. */
import { innermostCause } from '../errors.ts';
import type { SchemaOf } from './avro-decoder.ts';
import { UndecodableEventError } from './undecodable-event-error.ts';

export interface RegistryAddress {
  readonly url: string;
  /** Such as an `Authorization`. */
  readonly headers?: { readonly [name: string]: string };
}

const requestTimeoutMs = 10_000;

export function registrySchemas({ url, headers = {} }: RegistryAddress): SchemaOf {
  const base = url.replace(/\/+$/, '');
  return async (id) => {
    const address = `${base}/schemas/ids/${id}`;
    const fail = (cause: unknown): never => {
      throw new Error(`GET ${address}: no answer of the schema registry: ${innermostCause(cause).message}`, { cause });
    };
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const answer = await fetch(address, { headers, signal }).catch(fail);
    if (answer.status === 404)
      throw new UndecodableEventError(`GET ${address}: the schema registry has no schema ${id}`);
    if (!answer.ok) throw new Error(`GET ${address}: the schema registry returned ${answer.status}; expected 200`);
    const { schema } = (await answer.json().catch(fail)) as { schema: string };
    return JSON.parse(schema) as object;
  };
}
