/** Which book a name of the caller's path or body belongs to, and what immutable names hold. All of it never changes once it is there. */
import { ask, type Database } from './database.ts';

/** Remembers what was found; what was not is asked again, for it may be recorded any moment. */
export class Remembered<Value> {
  readonly #known = new Map<string, Value>();
  readonly #most: number;
  readonly #find: (tenantId: string, name: string) => Promise<Value | undefined>;

  constructor(most: number, find: (tenantId: string, name: string) => Promise<Value | undefined>) {
    this.#most = most;
    this.#find = find;
  }

  async of(tenantId: string, name: string): Promise<Value | undefined> {
    const key = `${tenantId}\n${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await this.#find(tenantId, name);
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
  const listed = async (listing: string, tenantId: string, id: string): Promise<ListedRecord | undefined> => {
    const text = 'SELECT book_id, "row"::text AS row FROM listed WHERE tenant_id = $1 AND listing = $2 AND id = $3';
    const [found] = await ask<{ book_id: string; row: string }>(database, 'listed_by_id', text, [
      tenantId,
      listing,
      id,
    ]);
    return found && { bookId: found.book_id, row: found.row };
  };
  const one = async <Row>(name: string, text: string, values: unknown[]): Promise<Row | undefined> =>
    (await ask<Row>(database, name, text, values))[0];
  return {
    loanClient: new Remembered(most, async (tenantId, loanId) => {
      const text = 'SELECT client_id FROM loans WHERE tenant_id = $1 AND loan_id = $2';
      return (await one<{ client_id: string }>('loan_client', text, [tenantId, loanId]))?.client_id;
    }),
    receiptBook: new Remembered(most, async (tenantId, reference) => {
      const text = "SELECT book_id FROM refs WHERE tenant_id = $1 AND namespace = 'receipts' AND reference = $2";
      return (await one<{ book_id: string }>('receipt_book', text, [tenantId, reference]))?.book_id;
    }),
    configuration: new Remembered(10_000, async (tenantId, name) => {
      const [id, version] = name.split('/');
      // A caller may state any whole number; one the column could not hold is no version either.
      const text =
        'SELECT archetype, "values" FROM configurations WHERE tenant_id = $1 AND configuration_id = $2 AND version = $3::bigint';
      const found = await one<StatedConfiguration>('configuration', text, [tenantId, id, version]);
      return found === undefined ? undefined : JSON.stringify({ archetype: found.archetype, values: found.values });
    }),
    decision: new Remembered(10_000, (tenantId, id) => listed('decisions', tenantId, id)),
    facility: new Remembered(10_000, (tenantId, id) => listed('facilities', tenantId, id)),
  };
}
