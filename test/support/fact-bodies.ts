/** Compares stored facts with the schemas that consumers of the topic read them by: schemas/facts. */
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { factSchemas } from '#libs/kafka/fact-schemas.ts';
import { queryAll } from './test-databases.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>(
  Object.entries(factSchemas).map(([kind, schema]) => [kind, ajv.compile(schema)]),
);

export interface CheckedBodies {
  /** The kinds of the facts that were found. */
  readonly kinds: ReadonlySet<string>;
  /** One line for each body that does not satisfy the schema of its kind. */
  readonly faults: readonly string[];
}

/** Checks the body of every fact of a Tenancy. */
export async function checkFactBodies(databases: PartitionDatabases, tenantId: string): Promise<CheckedBodies> {
  const text = 'SELECT book_id, sequence, kind, body FROM facts WHERE tenant_id = $1 ORDER BY book_id, sequence';
  type Row = { readonly book_id: string; readonly sequence: number; readonly kind: string; readonly body: object };
  const facts = await queryAll<Row>(databases, 'test_fact_bodies', text, [tenantId]);
  const faults = facts.flatMap(({ book_id, sequence, kind, body }) => {
    const validate = validators.get(kind);
    const where = `${book_id} ${sequence}, ${kind}`;
    if (validate === undefined) return [`${where}: schemas/facts has no schema of this kind`];
    return validate(body) ? [] : [`${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`];
  });
  return { kinds: new Set(facts.map(({ kind }) => kind)), faults };
}
