/** Recorded references, by which retries are answered. They are unique in the whole Tenancy. */
import type { Namespace, RecordedReference } from '#libs/ledger/book-decider.ts';
import { type Queryable, query } from './database.ts';
import { textArray } from './pg-binary.ts';

export interface ReferenceName {
  readonly tenantId: string;
  readonly namespace: Namespace;
  readonly reference: string;
}

/** None of the three can hold a line feed. */
export function referenceKey({ tenantId, namespace, reference }: ReferenceName): string {
  return `${tenantId}\n${namespace}\n${reference}`;
}

interface Row {
  tenant_id: string;
  namespace: Namespace;
  reference: string;
  digest: Buffer;
  /** Null where the fact is missing; kind, subject and sequence are read only where it is not. */
  book_id: string | null;
  kind: string;
  subject: string;
  sequence: number;
}

/**
 * Looks up the reference that a row `n` names (`tenant_id`, `namespace`, `reference`). In a database whose tables are divided it is
 * found by a hash of its name (decision 0093), and book, kind and sequence are read from its first fact: null where that is missing.
 */
export const recordedReference = `SELECT digest, book_id, kind, subject, sequence FROM submission_references
    WHERE tenant_id = n.tenant_id AND namespace = n.namespace AND reference = n.reference
  UNION ALL
  SELECT h.digest, f.book_id, f.kind, coalesce(h.subject, subject_of_fact(f.body, f.event_id)), f.sequence
    FROM reference_hashes h LEFT JOIN LATERAL fact_of_event(h.partition, h.event_number) f ON true
    WHERE h.name_hash = reference_hash(n.tenant_id, n.namespace, n.reference)`;

/**
 * By `referenceKey`; those never recorded are absent. Rejects where the fact of one is missing: a submission that is decided without
 * it would be refused by each commit, without end.
 */
export async function findReferences(
  database: Queryable,
  names: readonly ReferenceName[],
): Promise<Map<string, RecordedReference>> {
  const found = new Map<string, RecordedReference>();
  if (names.length === 0) return found;
  const rows = await query<Row>(
    database,
    'find_references',
    `SELECT n.tenant_id, n.namespace, n.reference, r.*
       FROM unnest($1::text[], $2::text[], $3::text[]) AS n (tenant_id, namespace, reference)
       CROSS JOIN LATERAL (${recordedReference} OFFSET 0) r`,
    [
      textArray(names.map((name) => name.tenantId)),
      textArray(names.map((name) => name.namespace)),
      textArray(names.map((name) => name.reference)),
    ],
  );
  for (const row of rows) {
    if (row.book_id === null) throw new Error(`the fact of the reference ${row.namespace} ${row.reference} is missing`);
    found.set(referenceKey({ tenantId: row.tenant_id, namespace: row.namespace, reference: row.reference }), {
      bookId: row.book_id,
      digest: row.digest.toString('hex'),
      kind: row.kind,
      subject: row.subject,
      sequence: row.sequence,
    });
  }
  return found;
}
