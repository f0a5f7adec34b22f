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
  book_id: string;
  kind: string;
  subject: string;
  sequence: number;
}

/** By `referenceKey`; those never recorded are absent. */
export async function findReferences(
  database: Queryable,
  names: readonly ReferenceName[],
): Promise<Map<string, RecordedReference>> {
  const found = new Map<string, RecordedReference>();
  if (names.length === 0) return found;
  const rows = await query<Row>(
    database,
    'find_references',
    `SELECT tenant_id, namespace, reference, digest, book_id, kind, subject, sequence
       FROM submission_references JOIN unnest($1::text[], $2::text[], $3::text[]) AS n (tenant_id, namespace, reference)
       USING (tenant_id, namespace, reference)`,
    [
      textArray(names.map((name) => name.tenantId)),
      textArray(names.map((name) => name.namespace)),
      textArray(names.map((name) => name.reference)),
    ],
  );
  for (const row of rows) {
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
