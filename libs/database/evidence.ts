/** Reads what is stored of committed requests: whether they were, what they recorded, and how they were signed. */
import { inflateRawSync } from 'node:zlib';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { type Database, type Queryable, query, queryTimed, type StageTimer } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { int2Array, uuidArray } from './pg-binary.ts';

interface SubmittedRequest {
  readonly requestId: string;
  readonly partition: number;
}

/** The committed ones among these requests, as `requestId/partition`. */
export async function findCommittedRequests(
  database: Database,
  requests: readonly SubmittedRequest[],
): Promise<Set<string>> {
  const text = `SELECT request_id, partition FROM unnest($1::uuid[], $2::smallint[]) AS w (request_id, partition)
    WHERE EXISTS (SELECT FROM request_evidence e WHERE e.request_id = w.request_id AND e.partition = w.partition OFFSET 0)`;
  const values = [
    uuidArray(requests.map(({ requestId }) => requestId)),
    int2Array(requests.map(({ partition }) => partition)),
  ];
  const rows = await query<{ request_id: string; partition: number }>(database, 'find_committed', text, values);
  return new Set(rows.map((row) => `${row.request_id}/${row.partition}`));
}

/** A committed request: its id and its body as sent. */
interface CommittedRequest {
  readonly requestId: string;
  readonly body: Buffer;
}

interface RequestUnderKey {
  readonly tenantId: string;
  readonly key: string;
  readonly method: string;
  readonly target: string;
}

/**
 * Requests under an `Idempotency-Key` of the last day, oldest first. They were committed even where their outcome was
 * never stored: the answer was lost, or the process that waited for it ended.
 */
export async function findRequestsUnderKey(
  database: Queryable,
  { tenantId, key, method, target }: RequestUnderKey,
): Promise<CommittedRequest[]> {
  const text = `
    SELECT request_id, body, body_encoding FROM evidence
    WHERE partition = (SELECT partition FROM books WHERE tenant_id = $1 AND book_id = $5)
      AND tenant_id = $1 AND hashtextextended(idempotency_key, 0) = hashtextextended($2, 0) AND idempotency_key = $2
      AND method = $3 AND target = $4
      AND received_at > (extract(epoch FROM now() - interval '24 hours') * 1000000)::bigint
    ORDER BY received_at`;
  const rows = await query<{ request_id: string; body: Buffer; body_encoding: string }>(
    database,
    'requests_under_key',
    text,
    [tenantId, key, method, target, tenancyBookId],
  );
  return rows.map((row) => ({ requestId: row.request_id, body: decodeBody(row.body, row.body_encoding) }));
}

/** The answer of the configuration version that a request recorded; undefined where it recorded none. */
export async function configurationRecordedBy(
  database: Queryable,
  { tenantId, requestId }: { readonly tenantId: string; readonly requestId: string },
): Promise<string | undefined> {
  // Without an index of its own: the query is rare, and the Tenancy's book has few facts.
  const text = `
    SELECT c.answer::text AS answer FROM books b JOIN facts f USING (tenant_id, book_id, partition)
    JOIN configurations c ON c.tenant_id = f.tenant_id AND c.configuration_id = f.body->>'id'
      AND c.version = coalesce((f.body->>'version')::integer, 1)
    WHERE b.tenant_id = $1 AND b.book_id = $2 AND f.request_id = $3
      AND f.kind IN ('configuration_created', 'configuration_version')`;
  const rows = await query<{ answer: string }>(database, 'configuration_recorded_by', text, [
    tenantId,
    tenancyBookId,
    requestId,
  ]);
  return rows[0]?.answer;
}

/** A fact with the signed request that caused it. */
export interface FactEvidence {
  readonly sequence: number;
  readonly kind: string;
  /** JSON text as stored and published. */
  readonly body: string;
  readonly recorded_at: number;
  readonly request_id: string;
  readonly item: number;
  readonly partition: number;
  readonly offset: number;
  readonly event_number: number;
  readonly method: string;
  readonly target: string;
  readonly ts: number;
  readonly fp: string;
  readonly signature: Buffer;
  readonly idempotency_key: string | null;
  /** The bytes that were signed. */
  readonly request_body: Buffer;
  readonly received_at: number;
  readonly public_key: Buffer;
  readonly key_created_at: number;
  readonly key_revoked_at: number | null;
}

const recordedColumns = `f.sequence, f.kind, f.body::text AS body, f.recorded_at, f.request_id, f.item, f.partition, f."offset",
    f.event_number, e.method, e.target, e.ts, e.fp, e.signature, e.idempotency_key, e.body AS request_body,
    e.body_encoding, e.received_at`;
/** With OFFSET 0 the book is read first, which says where the rest is. */
const recordedTables = `books b
  CROSS JOIN LATERAL (SELECT * FROM facts WHERE tenant_id = b.tenant_id AND book_id = b.book_id AND partition = b.partition
    AND sequence = ANY ($3::bigint[]) OFFSET 0) f
  CROSS JOIN LATERAL (SELECT * FROM evidence WHERE request_id = f.request_id AND partition = b.partition OFFSET 0) e`;
const ofFacts = 'WHERE b.tenant_id = $1 AND b.book_id = $2 ORDER BY f.sequence';

const factEvidenceSql = `
  SELECT ${recordedColumns}, k.public_key, k.created_at AS key_created_at, k.revoked_at AS key_revoked_at
  FROM ${recordedTables} JOIN keys k ON k.fp = e.fp ${ofFacts}`;

type KeyColumns = Pick<FactEvidence, 'public_key' | 'key_created_at' | 'key_revoked_at'>;
type EvidenceRow = FactEvidence & { readonly body_encoding: string };

interface ProvenFacts {
  readonly tenantId: string;
  readonly bookId: string;
  readonly sequences: readonly number[];
}

/** In the order of the facts. A fact whose request was not signed by a key has no row. */
export async function readFactEvidence(
  databases: PartitionDatabases,
  timer: StageTimer,
  facts: ProvenFacts,
): Promise<FactEvidence[]> {
  const database = databases.ofBook(facts);
  const values = [facts.tenantId, facts.bookId, facts.sequences];
  const rows =
    database === databases.ofTenancy(facts.tenantId)
      ? await queryTimed<EvidenceRow>(database, timer, 'fact_evidence', factEvidenceSql, values)
      : await readWithKeysElsewhere(databases, timer, facts);
  return rows.map(({ body_encoding, ...row }) => ({
    ...row,
    request_body: decodeBody(row.request_body, body_encoding),
  }));
}

/** The keys of a Tenancy are where its own book is. */
async function readWithKeysElsewhere(
  databases: PartitionDatabases,
  timer: StageTimer,
  facts: ProvenFacts,
): Promise<EvidenceRow[]> {
  const text = `SELECT ${recordedColumns} FROM ${recordedTables} ${ofFacts}`;
  const values = [facts.tenantId, facts.bookId, facts.sequences];
  const recorded = await queryTimed<Omit<EvidenceRow, keyof KeyColumns>>(
    databases.ofBook(facts),
    timer,
    'fact_evidence_alone',
    text,
    values,
  );
  const keys = await queryTimed<KeyColumns & { readonly fp: string }>(
    databases.ofTenancy(facts.tenantId),
    timer,
    'keys_of_evidence',
    `SELECT fp, public_key, created_at AS key_created_at, revoked_at AS key_revoked_at FROM keys
      WHERE tenant_id = $1 AND fp = ANY ($2::text[])`,
    [facts.tenantId, [...new Set(recorded.map(({ fp }) => fp))]],
  );
  const byFingerprint = new Map(keys.map(({ fp, ...key }) => [fp, key]));
  return recorded.flatMap((row) => {
    const key = byFingerprint.get(row.fp);
    return key === undefined ? [] : [{ ...row, ...key }];
  });
}

function decodeBody(body: Buffer, encoding: string): Buffer {
  return encoding === 'deflate' ? inflateRawSync(body) : body;
}
