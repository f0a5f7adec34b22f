/** Which book a name of the caller's path or body belongs to, and what immutable names hold. All of it never changes once it is there. */
import { type Database, query } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

type Find<Value> = (tenantId: string, name: string, watch: Watch | undefined) => Promise<Value | undefined>;

/** Remembers what was found; what was not is asked again, for it may be recorded any moment. */
export class Remembered<Value> {
  readonly #known = new Map<string, Value>();
  readonly #most: number;
  readonly #find: Find<Value>;

  constructor(most: number, find: Find<Value>) {
    this.#most = most;
    this.#find = find;
  }

  /** What it waits for is told to the watch, if there is one. */
  async of(tenantId: string, name: string, watch?: Watch): Promise<Value | undefined> {
    const key = `${tenantId}\n${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await this.#find(tenantId, name, watch);
    if (found === undefined) return undefined;
    // The oldest goes; what is asked often is found again at once.
    if (this.#known.size >= this.#most) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(key, found);
    return found;
  }
}

export interface StatedConfiguration {
  readonly archetype: string;
  readonly values: unknown;
}

export interface Locations {
  /** The Client of a Loan. */
  readonly loanClient: Remembered<string>;
  /** The book a Receipt was recorded in, by its reference. */
  readonly receiptBook: Remembered<string>;
  /** The JSON of a configuration version, by `id/version`. */
  readonly configuration: Remembered<string>;
  /** A Decision as it was recorded, which it stays. */
  readonly decision: Remembered<ListedRecord>;
  /** A Facility as it was recorded, whoever's it is; that another superseded it since is not in it. */
  readonly facility: Remembered<ListedRecord>;
}

/** What is listed in the whole Tenancy, found by its identifier. */
export interface ListedRecord {
  readonly bookId: string;
  /** JSON text as it was recorded. */
  readonly row: string;
}

export function openLocations(database: Database, most = 200_000): Locations {
  const one = async <Row>(
    watch: Watch | undefined,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row | undefined> => {
    const rows =
      watch === undefined
        ? query<Row>(database, name, text, values)
        : askTimed<Row>(database, watch, name, text, values);
    return (await rows)[0];
  };
  const listed = (listing: string) =>
    new Remembered<ListedRecord>(10_000, async (tenantId, id, watch) => {
      const text = 'SELECT book_id, "row"::text AS row FROM listed WHERE tenant_id = $1 AND listing = $2 AND id = $3';
      const values = [tenantId, listing, id];
      const found = await one<{ book_id: string; row: string }>(watch, 'listed_by_id', text, values);
      return found && { bookId: found.book_id, row: found.row };
    });
  return {
    loanClient: new Remembered(most, async (tenantId, loanId, watch) => {
      const text = 'SELECT client_id FROM loans WHERE tenant_id = $1 AND loan_id = $2';
      return (await one<{ client_id: string }>(watch, 'loan_client', text, [tenantId, loanId]))?.client_id;
    }),
    receiptBook: new Remembered(most, async (tenantId, reference, watch) => {
      const text = "SELECT book_id FROM refs WHERE tenant_id = $1 AND namespace = 'receipts' AND reference = $2";
      return (await one<{ book_id: string }>(watch, 'receipt_book', text, [tenantId, reference]))?.book_id;
    }),
    configuration: new Remembered(10_000, async (tenantId, name, watch) => {
      const [id, version] = name.split('/');
      // A caller may state any whole number; one the column could not hold is no version either.
      const text =
        'SELECT archetype, "values" FROM configurations WHERE tenant_id = $1 AND configuration_id = $2 AND version = $3::bigint';
      const found = await one<StatedConfiguration>(watch, 'configuration', text, [tenantId, id, version]);
      return found === undefined ? undefined : JSON.stringify({ archetype: found.archetype, values: found.values });
    }),
    decision: listed('decisions'),
    facility: listed('facilities'),
  };
}
