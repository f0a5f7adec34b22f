/** A cell whose partitions are on several databases, and a lender with Clients on each of them. */
import type pg from 'pg';
import type { OwnedDatabase } from '#libs/cli/cell-databases.ts';
import type { CellToRepair } from '#libs/cli/repair.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { Lender, requireStatus, uniqueReference } from '#test/support/lender.ts';
import type { TestEnvironment } from '#test/support/tenant.ts';

/** Whether the stack of this run has several: `npm run test:databases`. */
export const hasSeveralDatabases = (process.env['LENDING_TEST_DATABASES'] ?? '1') !== '1';

export class PlacedCell {
  readonly here: TestEnvironment;
  readonly databases: PartitionDatabases;
  readonly #pools: readonly pg.Pool[];

  private constructor(here: TestEnvironment, databases: PartitionDatabases, pools: readonly pg.Pool[]) {
    this.here = here;
    this.databases = databases;
    this.#pools = pools;
  }

  static async open(here: TestEnvironment): Promise<PlacedCell> {
    const pools: pg.Pool[] = [];
    const open = (url: string | (() => string)): pg.Pool => {
      const pool = openDatabase({ url, name: 'several databases', connections: 2 });
      // A database that a test copies or restores ends its sessions.
      pool.on('error', () => undefined);
      pools.push(pool);
      return pool;
    };
    const urls = () => here.stack.partitionDatabaseUrls ?? new Map<string, string>();
    const databases = await openDatabasesOf(open(here.stack.servicesDatabaseUrl), { urls, open });
    return new PlacedCell(here, databases, pools);
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  /** Its own book is on the database with this place among all: the Tenancy works on while another one is down. */
  async openLenderOn(index: number): Promise<Lender> {
    for (let attempt = 0; ; attempt += 1) {
      const id = `several-${Date.now().toString(36)}-${attempt}`;
      if (this.databases.ofTenancy(id) === this.databases.all[index]) return Lender.open(this.here, { id });
    }
  }

  /** A new Client whose book is on the database with this place among all. */
  async clientOn(lender: Lender, index: number): Promise<string> {
    for (;;) {
      const id = uniqueReference('c');
      const book = { tenantId: lender.tenant.id, bookId: clientBookId(id) };
      if (this.databases.ofBook(book) !== this.databases.all[index]) continue;
      requireStatus(await lender.tenant.put(`/clients/${id}`, { actor: 'ana', basis: 'signed the contract' }), 201);
      return id;
    }
  }

  /** For the commands of an operator. */
  get addresses(): CellToRepair {
    const { databaseUrl, partitionDatabaseUrls = new Map<string, string>() } = this.here.stack;
    const owned = [...partitionDatabaseUrls].map(([name, servicesUrl]): [string, OwnedDatabase] => {
      const { pathname } = new URL(servicesUrl);
      return [name, { servicesUrl, ownerUrl: Object.assign(new URL(databaseUrl), { pathname }).href }];
    });
    return { ...this.here.stack, partitionDatabases: new Map(owned) };
  }

  /** On the server of all databases: the home database first. */
  get databaseNames(): string[] {
    const urls = [this.here.stack.databaseUrl, ...(this.here.stack.partitionDatabaseUrls ?? new Map()).values()];
    return urls.map((url) => new URL(url).pathname.slice(1));
  }

  /** The books that hold the reference, in any database. */
  async recordedIn(tenantId: string, reference: string): Promise<string[]> {
    const text = 'SELECT book_id FROM submission_references WHERE tenant_id = $1 AND reference = $2';
    const found = await this.databases.readAll((database) => database.query(text, [tenantId, reference]));
    return found.flatMap(({ rows }) => rows.map(({ book_id }) => String(book_id)));
  }
}
