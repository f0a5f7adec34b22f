/** Compares the references of all databases of a cell with their reservations in the home database. */
import { query } from '#libs/database/database.ts';
import { areReferencesReserved, type PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type RecordedReservation, readReservedBooks } from '#libs/database/reserved-references.ts';
import { Findings } from './findings.ts';

const referencesPerPage = 2_000;

/**
 * A reservation is made before its reference is recorded, so every recorded reference has one. Of two databases that recorded
 * the same reference, one lacks it.
 */
export async function auditReservations(databases: PartitionDatabases, maxFindings: number): Promise<Findings> {
  const findings = new Findings(maxFindings);
  if (!databases.hasSeveral) return findings;
  // Before the first move the references of a cell that had one database are not reserved yet.
  const { numbers } = databases.view.placement;
  if (numbers.size === 0 && !(await areReferencesReserved(databases.home))) return findings;
  for (const database of databases.all) {
    let after: readonly string[] = ['', '', ''];
    for (;;) {
      const text = `SELECT tenant_id AS "tenantId", namespace, reference, book_id AS "bookId" FROM submission_references
        WHERE (tenant_id, namespace, reference) > ($1, $2, $3) ORDER BY tenant_id, namespace, reference LIMIT ${referencesPerPage}`;
      const recorded = await query<RecordedReservation>(database, 'references_to_audit', text, [...after]);
      const last = recorded.at(-1);
      if (last === undefined) break;
      const reserved = await readReservedBooks(databases.home, recorded);
      for (const [index, { tenantId, namespace, reference, bookId }] of recorded.entries()) {
        const found = reserved[index] ?? null;
        if (found === bookId) continue;
        const where = `${tenantId} ${namespace} ${reference}`;
        findings.add({ what: 'a reference is not reserved for its book', where, expected: bookId, found });
      }
      after = [last.tenantId, last.namespace, last.reference];
    }
  }
  return findings;
}
