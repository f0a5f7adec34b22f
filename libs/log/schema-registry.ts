/**
 * The registry's Confluent API, three calls of it. Its official client costs a start most of a second and 100 MB for
 * key services we have no use for; records are encoded without it in any case.
 */

export type Compatibility = 'NONE' | 'BACKWARD' | 'FULL_TRANSITIVE';

export class SchemaRegistry {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url.replace(/\/+$/, '');
  }

  /** The id of the schema under its subject, registered where it is new; an incompatible one is refused here. */
  async register(subject: string, schema: object, compatibility: Compatibility): Promise<number> {
    await this.#call('PUT', `/config/${encodeURIComponent(subject)}`, { compatibility });
    const { id } = (await this.#call('POST', `/subjects/${encodeURIComponent(subject)}/versions`, {
      schemaType: 'AVRO',
      schema: JSON.stringify(schema),
    })) as { id: number };
    return id;
  }

  async schemaOf(id: number): Promise<object> {
    const { schema } = (await this.#call('GET', `/schemas/ids/${id}`)) as { schema: string };
    return JSON.parse(schema) as object;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok)
      throw new Error(`the schema registry answered ${response.status} to ${method} ${path}: ${await response.text()}`);
    return response.json();
  }
}
