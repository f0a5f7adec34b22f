/** What an operator reads of Tenancies, keys and parked books. It needs the database alone, so it works while Kafka is away. */
import type { KeyHolder, Scope } from '#libs/auth/key-ring.ts';
import type { BookKey } from '#libs/database/books.ts';
import { type Database, query } from '#libs/database/database.ts';
import { type ParkedBook, readParkedBooks } from '#libs/database/parked-submissions.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type BoundsSettings, closedAtSql, tenancyBook } from '#libs/database/tenancies.ts';

export interface NewTenancy {
  readonly tenantId: string;
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly timeZone: string;
}

export interface TenancyListing extends NewTenancy {
  /** Null for the default bounds. */
  readonly bounds: BoundsSettings | null;
  /** Microseconds since 1970. */
  readonly createdAt: number;
  /** Null while it is open. */
  readonly closedAt: number | null;
}

export interface KeyListing {
  readonly fp: string;
  readonly tenantId: string;
  readonly scope: string;
  readonly holder: string;
  readonly label: string;
  /** Microseconds since 1970. */
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** With what verifies its signatures. */
export interface VerifyingKey {
  readonly fp: string;
  readonly tenantId: string;
  readonly publicKey: Uint8Array;
  readonly scope: Scope;
  readonly holder: KeyHolder;
  readonly label: string;
  /** Microseconds since 1970; null for a key in use. */
  readonly revokedAt: number | null;
}

export type KeyPosition = Pick<KeyListing, 'createdAt' | 'fp'>;

export interface KeyPage {
  readonly keys: readonly KeyListing[];
  /** The key after which the next page begins; absent at the end. */
  readonly next?: KeyPosition;
}

const endOfKeys: KeyPosition = { createdAt: Number.MAX_SAFE_INTEGER, fp: '' };
const keyColumns = `fp, tenant_id AS "tenantId", scope, holder, label, created_at AS "createdAt", revoked_at AS "revokedAt"`;

export class AdministrationReads {
  readonly #databases: PartitionDatabases;

  constructor(databases: PartitionDatabases) {
    this.#databases = databases;
  }

  /** All Tenancies, or the one with this id; sorted by id. */
  async listTenancies(tenantId?: string): Promise<TenancyListing[]> {
    const read = (database: Database): Promise<TenancyListing[]> =>
      query<TenancyListing>(
        database,
        'list_tenancies',
        `SELECT t.tenant_id AS "tenantId", name, live, jurisdiction, time_zone AS "timeZone", bounds,
          created_at AS "createdAt", ${closedAtSql} AS "closedAt"
        FROM tenancies t WHERE $1::text IS NULL OR t.tenant_id = $1 ORDER BY t.tenant_id`,
        [tenantId ?? null],
      );
    if (tenantId !== undefined) return read(this.#databases.ofTenancy(tenantId));
    const tenancies = await this.#readAll(read, ({ tenantId }) => tenancyBook(tenantId));
    if (!this.#databases.hasSeveral) return tenancies;
    return tenancies.sort((one, other) => (one.tenantId < other.tenantId ? -1 : 1));
  }

  /** Whether the Tenancy is live, which decides the prefix of its secrets; undefined for an unknown Tenancy. */
  async isLive(tenantId: string): Promise<boolean | undefined> {
    const text = 'SELECT live FROM tenancies WHERE tenant_id = $1';
    const [tenancy] = await query<{ live: boolean }>(this.#of(tenantId), 'tenancy_is_live', text, [tenantId]);
    return tenancy?.live;
  }

  /** Null for the default bounds; undefined for an unknown Tenancy. */
  async bounds(tenantId: string): Promise<BoundsSettings | null | undefined> {
    const text = 'SELECT bounds FROM tenancies WHERE tenant_id = $1';
    const [tenancy] = await query<{ bounds: BoundsSettings | null }>(this.#of(tenantId), 'tenancy_bounds', text, [
      tenantId,
    ]);
    return tenancy?.bounds;
  }

  /** Oldest first. All of them: for the command line, which rotates and revokes any of them. */
  listKeys(tenantId: string): Promise<KeyListing[]> {
    const text = `SELECT ${keyColumns} FROM keys WHERE tenant_id = $1 ORDER BY created_at, fp`;
    return query<KeyListing>(this.#of(tenantId), 'list_keys', text, [tenantId]);
  }

  /** Newest first. */
  async readKeyPage(tenantId: string, limit: number, before: KeyPosition = endOfKeys): Promise<KeyPage> {
    const text = `SELECT ${keyColumns} FROM keys WHERE tenant_id = $1 AND (created_at, fp) < ($2, $3)
      ORDER BY created_at DESC, fp DESC LIMIT $4`;
    const values = [tenantId, before.createdAt, before.fp, limit + 1];
    const rows = await query<KeyListing>(this.#of(tenantId), 'key_page', text, values);
    const keys = rows.slice(0, limit);
    const last = keys.at(-1);
    return rows.length > limit && last !== undefined ? { keys, next: last } : { keys };
  }

  /** Those of the Tenancy among these fingerprints. */
  findKeys(tenantId: string, fingerprints: readonly string[]): Promise<KeyListing[]> {
    const text = `SELECT ${keyColumns} FROM keys WHERE fp = ANY ($2::text[]) AND tenant_id = $1`;
    return query<KeyListing>(this.#of(tenantId), 'find_keys', text, [tenantId, [...fingerprints]]);
  }

  /** Of any Tenancy those with these fingerprints; of this one also the newest. */
  keysToTry(tenantId: string, fingerprints: readonly string[], newest: number): Promise<VerifyingKey[]> {
    const columns = `fp, tenant_id AS "tenantId", public_key AS "publicKey", scope, holder, label,
      revoked_at AS "revokedAt"`;
    const text = `SELECT ${columns} FROM keys WHERE fp = ANY ($2::text[])
      UNION SELECT * FROM (SELECT ${columns} FROM keys WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT $3) newest`;
    const values = [tenantId, [...fingerprints], newest];
    return this.#readAll(
      (database) => query<VerifyingKey>(database, 'keys_to_try', text, values),
      (key) => tenancyBook(key.tenantId),
    );
  }

  /** Parked books with their waiting submissions; of all Tenancies if none is given. */
  parkedBooks(tenantId: string | undefined): Promise<ParkedBook[]> {
    return this.#readAll(
      (database) => readParkedBooks(database, tenantId),
      (book) => book,
    );
  }

  /** Without what stayed in a database from which its partition was moved. One view of the placement for all of them. */
  async #readAll<Row>(
    read: (database: Database) => Promise<readonly Row[]>,
    bookOf: (row: Row) => BookKey,
  ): Promise<Row[]> {
    const { view } = this.#databases;
    const pages = await this.#databases.readAll(async (database) =>
      (await read(database)).filter((row) => view.isHere(database, bookOf(row))),
    );
    return pages.flat();
  }

  #of(tenantId: string): Database {
    return this.#databases.ofTenancy(tenantId);
  }
}
