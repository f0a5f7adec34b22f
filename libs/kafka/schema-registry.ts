/** The schema registry, behind its official client. Records are encoded by avro-codec.ts, which is much faster. */
import http from 'node:http';
import https from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import type { SchemaRegistryClient } from '@confluentinc/schemaregistry/dist/schemaregistry-client.js';
import { registryTls } from '#libs/runtime/connection-settings.ts';
import { currentUrl, followTls, type TlsFiles, type UrlSource } from '#libs/runtime/follow-setting.ts';
import type { ReadinessCheck } from '#libs/runtime/health.ts';
import { type Logger, silentLogger } from '#libs/runtime/logging.ts';
import { OutageLog } from '#libs/runtime/outage-log.ts';

export type Compatibility = 'NONE' | 'BACKWARD' | 'FORWARD_TRANSITIVE' | 'FULL_TRANSITIVE';
export type SchemaType = 'AVRO' | 'JSON';

const requestTimeoutMs = 10_000;
const readinessTimeoutMs = 1_400;

export class SchemaRegistry {
  readonly #connection: () => RegistryConnection;
  #client: Promise<SchemaRegistryClient> | undefined;
  /** What the client was created with: both may change while the process runs. */
  #connected: RegistryConnection | undefined;

  constructor(url: UrlSource) {
    this.#connection = followConnection(url);
  }

  /** The id of the schema. A new schema is registered; one that breaks the compatibility is rejected. */
  register(
    subject: string,
    schema: object,
    compatibility: Compatibility,
    schemaType: SchemaType = 'AVRO',
  ): Promise<number> {
    return this.#request(`register a schema for ${subject}`, async (client) => {
      const { Compatibility: levels } = await loadClientModule();
      await client.updateCompatibility(subject, levels[compatibility]);
      return client.register(subject, { schemaType, schema: JSON.stringify(schema) }, false);
    });
  }

  /** The id of a registered schema. Registers nothing: an empty registry would give the schema another id than before. */
  async findId(subject: string, schema: object): Promise<number> {
    const text = JSON.stringify(schema);
    try {
      return await this.#request(`look up a schema of ${subject}`, (client) =>
        client.getId(subject, { schemaType: 'AVRO', schema: text }),
      );
    } catch (cause) {
      throw isSchemaNotFound(cause) ? new SchemaNotRegisteredError(subject, { cause }) : cause;
    }
  }

  /** The newest version, as text; undefined where there is none. */
  async latestSchema(subject: string): Promise<string | undefined> {
    try {
      return await this.#request(`read the newest schema of ${subject}`, async (client) => {
        const { schema } = await client.getLatestSchemaMetadata(subject);
        return schema;
      });
    } catch (cause) {
      if (isSchemaNotFound(cause)) return undefined;
      throw cause;
    }
  }

  async hasSubject(subject: string): Promise<boolean> {
    try {
      const versions = await this.#request(`list the schemas of ${subject}`, (client) =>
        client.getAllVersions(subject),
      );
      return versions.length > 0;
    } catch (cause) {
      if (isSchemaNotFound(cause)) return false;
      throw cause;
    }
  }

  getSchema(subject: string, id: number): Promise<object> {
    return this.#request(`read schema ${id} of ${subject}`, async (client) => {
      const { schema } = await client.getBySubjectAndId(subject, id);
      return JSON.parse(schema) as object;
    });
  }

  /** Replaces the client's errors: they contain the whole request, which must not reach the logs. */
  async #request<Result>(what: string, send: (client: SchemaRegistryClient) => Promise<Result>): Promise<Result> {
    const connection = this.#connection();
    if (this.#client === undefined || !isDeepStrictEqual(connection, this.#connected)) {
      this.#client = createClient(connection);
      this.#connected = connection;
    }
    const client = await this.#client;
    try {
      return await send(client);
    } catch (cause) {
      const { message, status, errorCode } = cause as { message: string; status?: number; errorCode?: number };
      throw new SchemaRegistryError(what, status, message, errorCode);
    }
  }
}

interface RegistryConnection {
  readonly endpoint: RegistryEndpoint;
  readonly tls: TlsFiles;
}

function followConnection(url: UrlSource, logger?: Logger): () => RegistryConnection {
  const isEncrypted = currentUrl(url).startsWith('https:');
  const files = isEncrypted ? followTls(process.env, registryTls, logger) : () => ({});
  return () => ({ endpoint: parseRegistryUrl(currentUrl(url)), tls: files() });
}

async function createClient({ endpoint, tls }: RegistryConnection): Promise<SchemaRegistryClient> {
  const { SchemaRegistryClient: Client } = await loadClientModule();
  const { url, userInfo } = endpoint;
  return new Client({
    baseURLs: [url],
    ...(userInfo === undefined ? {} : { basicAuthCredentials: { credentialsSource: 'USER_INFO', userInfo } }),
    // Callers retry and log; retries of the client would hide the cause for a minute.
    maxRetries: 0,
    createAxiosDefaults: { timeout: requestTimeoutMs, proxy: false, httpsAgent: new https.Agent(tls) },
  });
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

function isSchemaNotFound(cause: unknown): boolean {
  return cause instanceof SchemaRegistryError && cause.isSchemaNotFound;
}

/** The schema of this release is not in the registry: the cell is not prepared, or the registry lost its data. */
export class SchemaNotRegisteredError extends Error {
  override readonly name = 'SchemaNotRegisteredError';
  /** It can be registered while a service waits. */
  readonly isRetryable = true;

  constructor(subject: string, options: ErrorOptions) {
    super(
      `the schema registry has no schema of this release for ${subject}; run \`lending prepare\` of this release, ` +
        `or, if the registry lost its data, restore them first: ${lostDataRunbook}`,
      options,
    );
  }
}

export const lostDataRunbook = 'docs/operations/runbooks/dependency-degraded.md';

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

/** Its failures are logged: a service works without the registry once it has started. */
export function schemaRegistryCheck(url: UrlSource, logger: Logger = silentLogger): ReadinessCheck {
  const connection = followConnection(url, logger);
  const outage = new OutageLog({ dependency: 'registry' }, logger);
  return async () => {
    try {
      const status = await requestSubjects(connection());
      if (status !== 200) throw new Error(`the schema registry answered ${status}`);
      outage.answered();
    } catch (cause) {
      outage.failed(cause);
      throw cause;
    }
  };
}

/** By Node's own client: `fetch` accepts no certificates. */
function requestSubjects({ endpoint, tls }: RegistryConnection): Promise<number | undefined> {
  const { request } = endpoint.url.startsWith('https:') ? https : http;
  const signal = AbortSignal.timeout(readinessTimeoutMs);
  return new Promise((resolve, reject) => {
    const sent = request(`${endpoint.url}/subjects`, { headers: endpoint.headers, signal, agent: false, ...tls });
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', (error) => reject(signal.aborted ? new Error('the schema registry did not answer') : error));
    sent.end();
  });
}
