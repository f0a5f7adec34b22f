/** Compares the references of all databases of a cell with their reservations in the home database. */
import { areReferencesReserved, type PartitionDatabases } from '#libs/database/partition-databases.ts';
import { pagesOfRecordedReferences, readReservedBooks } from '#libs/database/reserved-references.ts';
import { Findings } from './findings.ts';

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
  for (const database of databases.all)
    for await (const page of pagesOfRecordedReferences(database)) {
      const reserved = await readReservedBooks(
        databases.home,
        page.map(({ name }) => name),
      );
      for (const [index, { name, bookId }] of page.entries()) {
        const found = reserved[index] ?? null;
        if (found === bookId) continue;
        const where = `${name.tenantId} ${name.namespace} ${name.reference}`;
        findings.add({ what: 'a reference is not reserved for its book', where, expected: bookId, found });
      }
    }
  return findings;
}
