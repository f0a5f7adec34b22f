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
}

export function openLocations(database: Database, most = 200_000): Locations {
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
  };
}
