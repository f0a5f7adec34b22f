/** Cached lookups of what never changes once it is recorded: which book a name belongs to, and immutable records. */
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '#libs/schema/json.ts';
import { textBytes } from '#libs/schema/json-bytes.ts';
import { type Database, query, queryTimed, type StageTimer } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { recordedReference } from './references.ts';

type Find<Value> = (tenantId: string, name: string, timer: StageTimer | undefined) => Promise<Value | undefined>;

/** Shared by all lookups of a service. */
type LookupCache = LRUCache<string, string | ListedRecord>;

/** What an entry takes besides its texts. */
const bytesPerEntry = 250;

function entryBytes(value: string | ListedRecord, key: string): number {
  const valueBytes = typeof value === 'string' ? textBytes(value) : textBytes(value.bookId) + textBytes(value.row);
  return bytesPerEntry + textBytes(key) + valueBytes;
}

/** Caches what was found. What was not is looked up again, because it may be recorded at any moment. */
export class CachedLookup<Value extends string | ListedRecord> {
  readonly #cache: LookupCache;
  readonly #kind: string;
  readonly #find: Find<Value>;

  constructor(cache: LookupCache, kind: string, find: Find<Value>) {
    this.#cache = cache;
    this.#kind = kind;
    this.#find = find;
  }

  async find(tenantId: string, name: string, timer?: StageTimer): Promise<Value | undefined> {
    const key = `${this.#kind}\n${tenantId}\n${name}`;
    const cached = this.#cache.get(key) as Value | undefined;
    if (cached !== undefined) return cached;
    const found = await this.#find(tenantId, name, timer);
    if (found !== undefined) this.#cache.set(key, found);
    return found;
  }
}

export interface Lookups {
  /** The Client of a Loan. */
  readonly clientOfLoan: CachedLookup<string>;
  /** The book of a Receipt, by its reference. */
  readonly bookOfReceipt: CachedLookup<string>;
  /** The JSON of a configuration version, by `id/version`. */
  readonly configuration: CachedLookup<string>;
  /** The registration of a Client. */
  readonly client: CachedLookup<ListedRecord>;
  readonly decision: CachedLookup<ListedRecord>;
  /** A Facility of any Client as it was recorded, without whether a later one supersedes it. */
  readonly facility: CachedLookup<ListedRecord>;
}

/** A record of a Tenancy-wide listing, found by its identifier. */
export interface ListedRecord {
  readonly bookId: string;
  /** JSON text as it was recorded. */
  readonly row: string;
}

export function createLookups(databases: PartitionDatabases, maxCachedBytes: number): Lookups {
  const cache: LookupCache = new LRUCache({ maxSize: maxCachedBytes, sizeCalculation: entryBytes });
  const findIn = async <Row>(
    database: Database,
    timer: StageTimer | undefined,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row | undefined> => {
    const rows =
      timer === undefined
        ? query<Row>(database, name, text, values)
        : queryTimed<Row>(database, timer, name, text, values);
    return (await rows)[0];
  };
  /** Where the name does not say in which book it is. */
  const findOne = <Row>(timer: StageTimer | undefined, name: string, text: string, values: unknown[]) => {
    if (!databases.hasSeveral) return findIn<Row>(databases.home, timer, name, text, values);
    const search = () => databases.find((database) => findIn<Row>(database, undefined, name, text, values));
    return timer === undefined ? search() : timer.measure('db', search);
  };
  const listedRecord = (listing: string) =>
    new CachedLookup<ListedRecord>(cache, listing, async (tenantId, id, timer) => {
      const text =
        'SELECT book_id, "row"::text AS row FROM listed_records WHERE tenant_id = $1 AND listing = $2 AND id = $3';
      const values = [tenantId, listing, id];
      const found = await findOne<{ book_id: string; row: string }>(timer, 'listed_by_id', text, values);
      return found && { bookId: found.book_id, row: found.row };
    });
  return {
    clientOfLoan: new CachedLookup<string>(cache, 'client_of_loan', async (tenantId, loanId, timer) => {
      const text = 'SELECT client_id FROM loans WHERE tenant_id = $1 AND loan_id = $2';
      return (await findOne<{ client_id: string }>(timer, 'client_of_loan', text, [tenantId, loanId]))?.client_id;
    }),
    bookOfReceipt: new CachedLookup<string>(cache, 'book_of_receipt', async (tenantId, reference, timer) => {
      const text = `SELECT r.book_id FROM (SELECT $1::text AS tenant_id, 'receipts' AS namespace, $2::text AS reference) n
        CROSS JOIN LATERAL (${recordedReference} OFFSET 0) r WHERE r.book_id IS NOT NULL`;
      return (await findOne<{ book_id: string }>(timer, 'book_of_receipt', text, [tenantId, reference]))?.book_id;
    }),
    configuration: new CachedLookup<string>(cache, 'configuration', async (tenantId, name, timer) => {
      const [id, version] = name.split('/');
      // bigint: a request may state a version that the integer column cannot hold.
      const text = `SELECT archetype, "values" FROM configurations
        WHERE tenant_id = $1 AND configuration_id = $2 AND version = $3::bigint`;
      const values = [tenantId, id, version];
      const database = databases.ofTenancy(tenantId);
      const found = await findIn<{ archetype: string; values: unknown }>(
        database,
        timer,
        'configuration',
        text,
        values,
      );
      return found === undefined ? undefined : JSON.stringify({ archetype: found.archetype, values: found.values });
    }),
    client: listedRecord('clients'),
    decision: listedRecord('decisions'),
    facility: listedRecord('facilities'),
  };
}

interface IssuanceRequest {
  readonly tenantId: string;
  readonly body: JsonObject;
}

/** JSON of the configuration version that a body names; null where it does not exist yet. */
export async function lookUpConfiguration(
  { configuration }: Lookups,
  { tenantId, body }: IssuanceRequest,
  timer?: StageTimer,
): Promise<string> {
  const name = `${body['configuration_id']}/${body['configuration_version']}`;
  return (await configuration.find(tenantId, name, timer)) ?? 'null';
}

/**
 * JSON of the configuration version and the facility that an issuance names. The facility may belong to another Client:
 * the book refuses it then. One lookup after the other, so that their measured times add up.
 */
export async function lookUpIssuanceTerms(
  lookups: Lookups,
  request: IssuanceRequest,
  timer?: StageTimer,
): Promise<string> {
  const facilityId = request.body['facility_id'];
  const configuration = await lookUpConfiguration(lookups, request, timer);
  const facility =
    typeof facilityId === 'string'
      ? await lookups.facility.find(request.tenantId, facilityId.toLowerCase(), timer)
      : undefined;
  return `{"configuration":${configuration},"facility":${facility?.row ?? 'null'}}`;
}
