/**
 * Copies a Client with a short book: all rows that the processor wrote of it, once for each copy. A million copies take some
 * minutes less than a million requests. They are in a partition that no processor owns: they are read, and never written again.
 */
import pg from 'pg';
import { areTablesDivided, createPartitionTables } from '#libs/database/divide-tables.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { printComment } from './bench-environment.ts';

/** Above those of the service. */
const firstUnownedPartition = 32_000;
const copiesPerStatement = 100_000;
/** The numbers of a copy's facts in its partition. */
const maxFacts = 16;

interface ClientCopies {
  readonly tenantId: string;
  /** The Client registered last: the copies follow it in the listing. Their ids and references have a number behind. */
  readonly client: string;
  /** The number of the first copy, 1 by default. */
  readonly first?: number;
  readonly count: number;
  /** Bodies of requests are left out for a store that would not fit on the disk. */
  readonly withEvidence?: boolean;
}

/** The id of a copy: its number takes the place of the random end of the id, which stays one of version 7. */
export function copiedId(id: string, copy: number): string {
  return id.slice(0, 24) + copy.toString(16).padStart(12, '0');
}

let copiedBooks = 0;

/** As the owner of the tables. */
export async function copyClients(
  ownerUrl: string,
  { tenantId, client, first: start = 1, count, withEvidence = true }: ClientCopies,
): Promise<void> {
  const database = new pg.Client({ connectionString: ownerUrl });
  await database.connect();
  const startedAt = performance.now();
  try {
    const partition = firstUnownedPartition + copiedBooks;
    copiedBooks += 1;
    if (await areTablesDivided(database)) await createPartitionTables(database, partition);
    const all = await copyStatements(database, { tenantId, clientId: client, partition });
    const statements = withEvidence ? all : all.slice(1);
    const end = start + count - 1;
    for (let first = start; first <= end; first += copiesPerStatement) {
      const last = Math.min(end, first + copiesPerStatement - 1);
      for (const text of statements) await database.query(text, [first, last]);
      const seconds = (performance.now() - startedAt) / 1_000;
      printComment(`copied ${last} of ${end} Clients like ${client} in ${seconds.toFixed(0)} s`);
    }
    await database.query('ANALYZE');
  } finally {
    await database.end();
  }
}

interface CopiedBook {
  readonly tenantId: string;
  readonly clientId: string;
  readonly partition: number;
}

/** `$1` and `$2` are the first and the last copy. The first statement copies evidence. */
async function copyStatements(
  database: pg.Client,
  { tenantId, clientId, partition }: CopiedBook,
): Promise<readonly string[]> {
  const literal = (text: string): string => database.escapeLiteral(text);
  const [tenant, client, book] = [tenantId, clientId, clientBookId(clientId)].map(literal);
  const { rows: facts } = await database.query<Readonly<Record<'reference' | 'loan_id' | 'event_id', string | null>>>(
    `SELECT reference, loan_id, event_id FROM facts WHERE tenant_id = ${tenant} AND book_id = ${book}`,
  );
  const distinct = (texts: readonly (string | null)[]) => [...new Set(texts)].filter((text) => text !== null);
  const named = distinct([clientId, ...facts.map(({ reference }) => reference)]);
  const ids = distinct(facts.flatMap(({ loan_id, event_id }) => [loan_id, event_id]));
  // As `copiedId`.
  const newId = (id: string): string => `substr(${id}, 1, 24) || lpad(to_hex(n), 12, '0')`;
  const copied = (column: string): string => {
    const quoted = named.reduce(
      (text, name) => `replace(${text}, ${literal(JSON.stringify(name))}, to_json(${literal(name)} || '-' || n)::text)`,
      `${column}::text`,
    );
    return withNewIds(quoted);
  };
  const withNewIds = (sql: string): string =>
    ids.reduce((text, id) => `replace(${text}, ${literal(id)}, ${newId(literal(id))})`, sql);
  const copiedColumn = (column: string): string => `(${newId(`${column}::text`)})::uuid`;
  const copies = 'generate_series($1::bigint, $2::bigint) AS n';
  const bookId = `${book} || '-' || n`;
  const requestId = `md5(${tenant} || '/' || n || '/' || ${book} || f.sequence)::uuid`;
  const ofBook = (alias: string): string => `${alias}.tenant_id = ${tenant} AND ${alias}.book_id = ${book}`;
  return [
    `INSERT INTO request_evidence (request_id, partition, tenant_id, method, target, ts, fp, fp_bytes, signature, idempotency_key, body,
         body_encoding, actor, caller_request_id, received_at)
       SELECT ${requestId}, ${partition}, e.tenant_id, method, target || '-' || n, ts, fp, fp_bytes, signature, idempotency_key,
         e.body, body_encoding, actor, caller_request_id, received_at
       FROM ${copies}, facts f JOIN request_evidence e USING (request_id, partition) WHERE ${ofBook('f')}`,
    `INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference,
         occurred_on, loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, "offset", event_number,
         feed_number)
       SELECT tenant_id, ${bookId}, sequence, kind, (${copied('body')})::json, counts, version_count, version_at, namespace,
         reference || '-' || n, occurred_on, ${copiedColumn('loan_id')}, ${copiedColumn('event_id')}, merchant_ref, recorded_at,
         ${requestId}, item, ${partition}, n, n * ${maxFacts} + sequence, feed_number + n * ${maxFacts}
       FROM ${copies}, facts f WHERE ${ofBook('f')}`,
    `INSERT INTO books (tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, due_from, fact_bytes)
       SELECT tenant_id, ${bookId}, ${partition}, sequence, version_count, version_at, recorded_at, due_from, fact_bytes
       FROM ${copies}, books b WHERE ${ofBook('b')}`,
    `INSERT INTO due_spans SELECT tenant_id, ${bookId}, from_day, to_day FROM ${copies}, due_spans d WHERE ${ofBook('d')}`,
    `INSERT INTO listed_records (tenant_id, listing, number, id, book_id, "row", sequence)
       SELECT tenant_id, listing, number + n * ${maxFacts}, id || '-' || n, ${bookId}, (${copied('"row"')})::json, sequence
       FROM ${copies}, listed_records l WHERE ${ofBook('l')}`,
    `INSERT INTO reference_hashes (name_hash, event_number, partition, digest, subject)
       SELECT reference_hash(f.tenant_id, f.namespace, f.reference || '-' || n), n * ${maxFacts} + f.sequence, ${partition}, digest,
         ${withNewIds('subject')}
       FROM ${copies}, facts f JOIN reference_hashes h USING (partition, event_number) WHERE ${ofBook('f')}`,
    `INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version,
         merchant_ref, state)
       SELECT tenant_id, ${copiedColumn('loan_id')}, number + n * ${maxFacts}, ${client} || '-' || n, reference || '-' || n, configuration_id,
         configuration_version, merchant_ref, state
       FROM ${copies}, loans l WHERE l.tenant_id = ${tenant} AND l.client_id = ${client}`,
    `INSERT INTO feed (tenant_id, number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref)
       SELECT d.tenant_id, number + n * ${maxFacts}, ${copiedColumn('d.event_id')}, ${copiedColumn('d.loan_id')}, d.kind, d.occurred_on,
         d.recorded_at, d.merchant_ref
       FROM ${copies}, facts f JOIN feed d ON d.tenant_id = f.tenant_id AND d.number = f.feed_number WHERE ${ofBook('f')}`,
  ];
}
