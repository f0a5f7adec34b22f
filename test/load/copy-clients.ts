/**
 * Copies a registered Client: all rows that the processor wrote of it, once for each copy. A million copies take some minutes
 * less than a million requests. They are in a partition that no processor owns: they are read, and never written again.
 */
import pg from 'pg';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { printComment } from './bench-environment.ts';

const unownedPartition = 32_000;
const copiesPerStatement = 100_000;

interface ClientCopies {
  readonly tenantId: string;
  /** Registered, and without any other fact. Its copies have its id with a number behind. */
  readonly client: string;
  readonly count: number;
}

/** `$1` Tenancy, `$2` id of the copied Client, `$3` its book, `$4` and `$5` first and last copy. */
const copies = `copies AS (
  SELECT n, $2 || '-' || n AS id, $3 || '-' || n AS book_id, md5($1 || '/' || n)::uuid AS request_id
  FROM generate_series($4::bigint, $5::bigint) AS n)`;

const statements = [
  `WITH ${copies} INSERT INTO request_evidence (request_id, partition, tenant_id, method, target, ts, fp, signature,
       idempotency_key, body, body_encoding, actor, caller_request_id, received_at)
     SELECT c.request_id, ${unownedPartition}, e.tenant_id, method, target || '-' || n, ts, fp, signature, idempotency_key,
       e.body, body_encoding, actor, caller_request_id, received_at
     FROM copies c, facts f JOIN request_evidence e USING (request_id, partition)
     WHERE f.tenant_id = $1 AND f.book_id = $3`,
  `WITH ${copies} INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, recorded_at,
       request_id, item, partition, "offset", event_number)
     SELECT tenant_id, c.book_id, sequence, kind, body, counts, version_count, recorded_at, c.request_id, item,
       ${unownedPartition}, n, n
     FROM copies c, facts f WHERE f.tenant_id = $1 AND f.book_id = $3`,
  `WITH ${copies} INSERT INTO books (tenant_id, book_id, partition, sequence, version_count, recorded_at)
     SELECT tenant_id, c.book_id, ${unownedPartition}, sequence, version_count, recorded_at
     FROM copies c, books b WHERE b.tenant_id = $1 AND b.book_id = $3`,
  `WITH ${copies} INSERT INTO listed_records (tenant_id, listing, number, id, book_id, "row", sequence)
     SELECT tenant_id, listing, number + n, c.id, c.book_id,
       replace("row"::text, to_json($2::text)::text, to_json(c.id)::text)::json, sequence
     FROM copies c, listed_records l WHERE l.tenant_id = $1 AND l.book_id = $3`,
];

/** As the owner of the tables. */
export async function copyClients(ownerUrl: string, { tenantId, client, count }: ClientCopies): Promise<void> {
  const database = new pg.Client({ connectionString: ownerUrl });
  await database.connect();
  const startedAt = performance.now();
  try {
    for (let first = 1; first <= count; first += copiesPerStatement) {
      const last = Math.min(count, first + copiesPerStatement - 1);
      for (const text of statements) {
        await database.query(text, [tenantId, client, clientBookId(client), first, last]);
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      printComment(`copied ${last} of ${count} Clients in ${seconds.toFixed(0)} s`);
    }
    await database.query('ANALYZE request_evidence, facts, books, listed_records');
  } finally {
    await database.end();
  }
}
