/** The tables that follow a Tenancy's own book: what the door and the listings look things up in. */
import { isDeepStrictEqual } from 'node:util';
import { type Queryable, query } from '#libs/database/database.ts';
import type { DerivedRows } from '#libs/ledger/book-decider.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { Findings } from './finding.ts';

/** Rows as JSON, by what names them within the Tenancy. */
const tables: { readonly [name: string]: string } = {
  tenancies: `SELECT tenant_id AS name, json_build_object('name', name, 'live', live, 'jurisdiction', jurisdiction, 'timeZone', time_zone,
    'bounds', bounds, 'createdAt', created_at) AS row FROM tenancies WHERE tenant_id = $1`,
  // Which of two Tenancies may use a key that both minted is no matter of either's book.
  keys: `SELECT fp AS name, json_build_object('publicKey', encode(public_key, 'hex'), 'scope', scope, 'holder', holder, 'label', label,
    'createdAt', created_at, 'revokedAt', revoked_at) AS row FROM keys WHERE tenant_id = $1`,
  configurations: `SELECT configuration_id || '/' || version AS name, json_build_object('archetype', archetype,
    'createdAt', created_at, 'values', "values", 'answer', answer) AS row FROM configurations WHERE tenant_id = $1`,
};

export async function auditTenancyRows(
  on: Queryable,
  tenantId: string,
  derived: DerivedRows,
  findings: Findings,
): Promise<void> {
  const due = rowsOf(derived);
  for (const [table, text] of Object.entries(tables)) {
    const rows = await query<{ name: string; row: Json }>(on, `held_${table}`, text, [tenantId]);
    const held = new Map(rows.map(({ name, row }) => [name, row]));
    const expected = due[table] ?? new Map<string, Json>();
    for (const name of new Set([...expected.keys(), ...held.keys()])) {
      const [is, was] = [held.get(name) ?? null, expected.get(name) ?? null];
      if (isDeepStrictEqual(is, was)) continue;
      const where = `${tenantId} ${table} ${name}`;
      findings.add({ what: 'its row is not what the Tenancy’s book says', where, expected: was, found: is });
    }
  }
}

function rowsOf({ tenancies = [], keys = [], configurations = [] }: DerivedRows): Record<string, Map<string, Json>> {
  return {
    tenancies: new Map(tenancies.map(({ tenantId, ...row }) => [tenantId, { ...row } as unknown as JsonObject])),
    keys: new Map(keys.map(({ fp, ...row }) => [fp, { ...row } as unknown as JsonObject])),
    configurations: new Map(
      configurations.map(({ configurationId, version, values, answer, ...row }) => [
        `${configurationId}/${version}`,
        { ...row, values: JSON.parse(values) as Json, answer: JSON.parse(answer) as Json },
      ]),
    ),
  };
}
