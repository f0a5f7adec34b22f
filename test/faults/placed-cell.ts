/** A cell whose partitions are on several databases, and a lender with Clients on each of them. */
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { Lender, requireStatus, uniqueReference } from '#test/support/lender.ts';
import type { TestEnvironment } from '#test/support/tenant.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';

export class PlacedCell {
  readonly here: TestEnvironment;
  readonly databases: PartitionDatabases;
  readonly close: () => Promise<void>;

  private constructor(here: TestEnvironment, databases: PartitionDatabases, close: () => Promise<void>) {
    this.here = here;
    this.databases = databases;
    this.close = close;
  }

  static async open(here: TestEnvironment): Promise<PlacedCell> {
    const { databases, close } = await openTestDatabases(here, { name: 'several databases' });
    return new PlacedCell(here, databases, close);
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

  /** On the server of all databases: the home database first. */
  get databaseNames(): string[] {
    const urls = [this.here.stack.databaseUrl, ...(this.here.stack.partitionDatabaseUrls ?? new Map()).values()];
    return urls.map((url) => new URL(url).pathname.slice(1));
  }

  /** The books that hold the reference, in any database. */
  async recordedIn(tenantId: string, reference: string): Promise<string[]> {
    const text = 'SELECT book_id FROM recorded_references WHERE tenant_id = $1 AND reference = $2';
    const found = await this.databases.readAll((database) => database.query(text, [tenantId, reference]));
    return found.flatMap(({ rows }) => rows.map(({ book_id }) => String(book_id)));
  }
}
