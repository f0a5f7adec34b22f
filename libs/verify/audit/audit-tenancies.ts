/** Audits the books of all Tenancies, which come first: they hold the keys for all signatures. */
import { type Queryable, query } from '#libs/database/database.ts';
import { auditTenancyBooks } from './audit-books.ts';
import { type AuditOutcome, noCounts } from './audit-progress.ts';
import type { SizedBook } from './read-stored-books.ts';
import type { StoredAudit } from './stored-audit.ts';

const maxTenancies = 1_000;

/** Each Tenancy once: one index lookup for each. A Tenancy may lack a book of its own in damaged data. */
const tenanciesText = `
  WITH RECURSIVE tenancy AS (
    (SELECT tenant_id FROM books WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT b.tenant_id FROM books b WHERE b.tenant_id > t.tenant_id ORDER BY b.tenant_id LIMIT 1)
    FROM tenancy t WHERE t.tenant_id IS NOT NULL)
  SELECT n.tenant_id, b.book_id, b.sequence
  FROM (SELECT tenant_id FROM tenancy WHERE tenant_id IS NOT NULL LIMIT ${maxTenancies}) n
  LEFT JOIN books b ON b.tenant_id = n.tenant_id AND b.book_id = 't' ORDER BY n.tenant_id`;

interface TenancyRow {
  readonly tenant_id: string;
  readonly book_id: string | null;
  readonly sequence: number | null;
}

/** Not part of the state: an audit that is continued needs the keys again. */
export async function auditTenancies(audit: StoredAudit): Promise<AuditOutcome> {
  const findings = audit.newFindings();
  const counts = noCounts();
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    await audit.runner.run(async (pacer) => {
      const rows = await audit.stored.readSnapshot((database) => readTenancies(database, from));
      await auditTenancyBooks(audit.stored, { ...audit.books, findings, counts }, rows.flatMap(tenancyBook), pacer);
      after = rows.length < maxTenancies ? undefined : rows.at(-1)?.tenant_id;
    });
  }
  return { findings, counts };
}

function readTenancies(database: Queryable, after: string): Promise<TenancyRow[]> {
  return query<TenancyRow>(database, 'audited_tenancies', tenanciesText, [after]);
}

function tenancyBook({ tenant_id, book_id, sequence }: TenancyRow): SizedBook[] {
  return book_id === null || sequence === null ? [] : [{ tenant_id, book_id, sequence }];
}
