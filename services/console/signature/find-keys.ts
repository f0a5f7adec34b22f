/** Reads the keys against which a signature is checked. */
import { type Database, query } from '#libs/database/database.ts';
import { mayRead, type Rights } from '#libs/people/roles.ts';
import type { KnownKey } from './diagnosis.ts';

/** The newest keys of the Tenancy: each is tried where the named one does not fit. */
const maxKeys = 200;

interface KeyRow extends Omit<KnownKey, 'publicKey'> {
  readonly publicKey: string;
}

/** Of another Tenancy a key is found only where the person may read that Tenancy. */
export async function findKeys(
  database: Database,
  rights: Rights,
  { tenantId, fingerprints }: { readonly tenantId: string; readonly fingerprints: readonly string[] },
): Promise<readonly KnownKey[]> {
  const columns = `fp, tenant_id AS "tenantId", encode(public_key, 'hex') AS "publicKey", scope, holder, label,
    revoked_at AS "revokedAt"`;
  const text = `SELECT ${columns} FROM keys WHERE fp = ANY ($2::text[])
    UNION SELECT * FROM (SELECT ${columns} FROM keys WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT ${maxKeys}) newest`;
  const rows = await query<KeyRow>(database, 'console_keys_of_signature', text, [tenantId, [...fingerprints]]);
  return rows
    .filter((row) => mayRead(rights, row.tenantId))
    .map((row) => ({ ...row, publicKey: Buffer.from(row.publicKey, 'hex') }));
}
