/** The schema registry, behind its official client. Records are encoded by avro-codec.ts, which is much faster. */
import type { SchemaRegistryClient } from '@confluentinc/schemaregistry/dist/schemaregistry-client.js';
import type { ReadinessCheck } from '#libs/runtime/health.ts';

export type Compatibility = 'NONE' | 'BACKWARD' | 'FULL_TRANSITIVE';

const requestTimeoutMs = 10_000;
const readinessTimeoutMs = 1_400;

export class SchemaRegistry {
  readonly #endpoint: RegistryEndpoint;
  #client: Promise<SchemaRegistryClient> | undefined;

  constructor(url: string) {
    this.#endpoint = parseRegistryUrl(url);
  }

  /** The id of the schema. A new schema is registered; one that breaks the compatibility is rejected. */
  register(subject: string, schema: object, compatibility: Compatibility): Promise<number> {
    return this.#request(`register a schema for ${subject}`, async (client) => {
      const { Compatibility: levels } = await loadClientModule();
      await client.updateCompatibility(subject, levels[compatibility]);
      return client.register(subject, { schemaType: 'AVRO', schema: JSON.stringify(schema) }, false);
    });
  }

  getSchema(subject: string, id: number): Promise<object> {
    return this.#request(`read schema ${id} of ${subject}`, async (client) => {
      const { schema } = await client.getBySubjectAndId(subject, id);
      return JSON.parse(schema) as object;
    });
  }

  /** Replaces the client's errors: they contain the whole request, which must not reach the logs. */
  async #request<Result>(what: string, send: (client: SchemaRegistryClient) => Promise<Result>): Promise<Result> {
    this.#client ??= this.#createClient();
    const client = await this.#client;
    try {
      return await send(client);
    } catch (cause) {
      const { message, status, errorCode } = cause as { message: string; status?: number; errorCode?: number };
      throw new SchemaRegistryError(what, status, message, errorCode);
    }
  }

  async #createClient(): Promise<SchemaRegistryClient> {
    const { SchemaRegistryClient: Client } = await loadClientModule();
    const { url, userInfo } = this.#endpoint;
    return new Client({
      baseURLs: [url],
      ...(userInfo === undefined ? {} : { basicAuthCredentials: { credentialsSource: 'USER_INFO', userInfo } }),
      // Callers retry and log; retries of the client would hide the cause for a minute.
      maxRetries: 0,
      createAxiosDefaults: { timeout: requestTimeoutMs, proxy: false },
    });
  }
}

export class SchemaRegistryError extends Error {
  override readonly name = 'SchemaRegistryError';
  /** The HTTP status, 409 for an incompatible schema; undefined when there was no response. */
  readonly status: number | undefined;
  readonly #errorCode: number | undefined;

  constructor(what: string, status: number | undefined, message: string, errorCode?: number) {
    const response = status === undefined ? 'did not answer' : `answered ${status}`;
    super(`could not ${what}: the schema registry ${response}: ${message}`);
    this.status = status;
    this.#errorCode = errorCode;
  }

  /** It may answer later. An incompatible schema stays incompatible. */
  get isRetryable(): boolean {
    return this.status === undefined || this.status >= 500;
  }

  /** The registry itself reports that the subject or schema does not exist; a 404 of a proxy carries no such code. */
  get isSchemaNotFound(): boolean {
    return this.#errorCode === 40_401 || this.#errorCode === 40_403;
  }
}

/**
 * Loaded on first use, and only this file of the package: the whole package delays a start by almost a second and takes
 * 90 MB for key management services that are not used; this file takes a fifth of a second and 35 MB.
 */
function loadClientModule() {
  return import('@confluentinc/schemaregistry/dist/schemaregistry-client.js');
}

/** HTTP clients do not accept a URL with a user name and password, so they are separated. */
export interface RegistryEndpoint {
  /** Without credentials and without a trailing slash. */
  readonly url: string;
  /** `name:password`, decoded. */
  readonly userInfo: string | undefined;
  /** The request headers that carry the credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

export function parseRegistryUrl(text: string): RegistryEndpoint {
  const parsed = new URL(text);
  const { username, password } = parsed;
  parsed.username = '';
  parsed.password = '';
  const url = parsed.href.replace(/\/+$/, '');
  if (username === '' && password === '') return { url, userInfo: undefined, headers: {} };
  const userInfo = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, userInfo, headers: { Authorization: `Basic ${Buffer.from(userInfo).toString('base64')}` } };
}

export function schemaRegistryCheck(url: string): ReadinessCheck {
  const endpoint = parseRegistryUrl(url);
  return async () => {
    const signal = AbortSignal.timeout(readinessTimeoutMs);
    const response = await fetch(`${endpoint.url}/subjects`, { headers: endpoint.headers, signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the schema registry answered ${response.status}`);
  };
}
