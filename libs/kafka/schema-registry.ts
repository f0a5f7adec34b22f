/** Where schemas are kept under ids, behind its official client. Records are encoded without it: avro.ts is faster by far. */
import type { SchemaRegistryClient } from '@confluentinc/schemaregistry/dist/schemaregistry-client.js';

import { type RegistryAddress, registryAddress } from './registry-address.ts';

export type Compatibility = 'NONE' | 'BACKWARD' | 'FULL_TRANSITIVE';

const patienceMs = 10_000;

export class SchemaRegistry {
  readonly #address: RegistryAddress;
  #opened: Promise<SchemaRegistryClient> | undefined;

  constructor(url: string) {
    this.#address = registryAddress(url);
  }

  /** The id of the schema under its subject, registered where it is new; an incompatible one is refused here. */
  register(subject: string, schema: object, compatibility: Compatibility): Promise<number> {
    return this.#ask(`${subject} to be registered`, async (client) => {
      const { Compatibility: levels } = await load();
      await client.updateCompatibility(subject, levels[compatibility]);
      return client.register(subject, { schemaType: 'AVRO', schema: JSON.stringify(schema) }, false);
    });
  }

  /** By an id that a record under this subject carries. */
  schemaOf(subject: string, id: number): Promise<object> {
    return this.#ask(`schema ${id} of ${subject}`, async (client) => {
      const { schema } = await client.getBySubjectAndId(subject, id);
      return JSON.parse(schema) as object;
    });
  }

  /** The client's own errors carry their whole request; whoever logs one would log that. */
  async #ask<Answer>(what: string, ask: (client: SchemaRegistryClient) => Promise<Answer>): Promise<Answer> {
    this.#opened ??= this.#open();
    const client = await this.#opened;
    try {
      return await ask(client);
    } catch (cause) {
      const { message, status, errorCode } = cause as { message: string; status?: number; errorCode?: number };
      throw new SchemaRegistryError(what, status, message, errorCode);
    }
  }

  async #open(): Promise<SchemaRegistryClient> {
    const { SchemaRegistryClient: Client } = await load();
    const { url, userInfo } = this.#address;
    return new Client({
      baseURLs: [url],
      ...(userInfo === undefined ? {} : { basicAuthCredentials: { credentialsSource: 'USER_INFO', userInfo } }),
      // Whoever starts a service starts it again; asking in silence for a minute would only hide what is wrong.
      maxRetries: 0,
      createAxiosDefaults: { timeout: patienceMs, proxy: false },
    });
  }
}

/** `status` is what it answered: 409 where the schema is not compatible; none where it did not answer. */
export class SchemaRegistryError extends Error {
  readonly status: number | undefined;
  readonly #code: number | undefined;

  constructor(what: string, status: number | undefined, message: string, code?: number) {
    super(
      `the schema registry was asked for ${what} and ${status === undefined ? 'did not answer' : `answered ${status}`}: ${message}`,
    );
    this.name = 'SchemaRegistryError';
    this.status = status;
    this.#code = code;
  }

  /** A registry itself says that it has no such subject or schema: whatever stands before it says no more than 404. */
  get isOfUnknownSchema(): boolean {
    return this.#code === 40_401 || this.#code === 40_403;
  }
}

/**
 * Only when a registry is asked, and only the client's own file: the package as a whole takes a start most of a second
 * and 90 MB for key services we have no use for, this a fifth of a second and 35 MB.
 */
function load() {
  return import('@confluentinc/schemaregistry/dist/schemaregistry-client.js');
}
