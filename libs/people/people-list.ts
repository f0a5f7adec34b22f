/** Lists of persons, a page at a time, in the order of their e-mails. */
import { type Queryable, query } from '#libs/database/database.ts';

export interface ListedPerson {
  readonly id: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly isDisabled: boolean;
  /** False until the first link is used. */
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** Microseconds since 1970. */
  readonly lastSignInAt: number | null;
  /** As `[Tenancy, role]`, at most `maxListedRoles`. */
  readonly roles: readonly (readonly [string, string])[];
  readonly roleCount: number;
}

export interface PeoplePage {
  readonly people: readonly ListedPerson[];
  /** The e-mail after which the next page begins; absent at the end. */
  readonly next?: string;
}

const pageSize = 50;
const maxListedRoles = 5;

const columns = `p.person_id AS id, p.email, p.is_operator AS "isOperator", p.is_disabled AS "isDisabled",
  p.password_hash IS NOT NULL AS "hasPassword", p.last_sign_in_at AS "lastSignInAt",
  p.totp_secret IS NOT NULL OR EXISTS (SELECT FROM console.passkeys k WHERE k.person_id = p.person_id) AS "hasSecondFactor"`;

/** Of the installation. `search` is a part of the e-mail. */
export async function listPeople(
  database: Queryable,
  { search, after }: { readonly search: string; readonly after: string },
): Promise<PeoplePage> {
  const text = `SELECT ${columns},
      coalesce((SELECT json_agg(json_build_array(r.tenant_id, r.role)) FROM (SELECT tenant_id, role FROM console.roles
        WHERE person_id = p.person_id ORDER BY tenant_id LIMIT ${maxListedRoles}) r), '[]') AS roles,
      (SELECT count(*)::integer FROM console.roles r WHERE r.person_id = p.person_id) AS "roleCount"
    FROM console.persons p WHERE p.email > $1 AND strpos(p.email, $2) > 0 ORDER BY p.email LIMIT ${pageSize + 1}`;
  return pageOf(await query<ListedPerson>(database, 'list_people', text, [after, search.toLowerCase()]));
}

/** With a role in the Tenancy. */
export async function listPeopleOfTenancy(database: Queryable, tenantId: string, after: string): Promise<PeoplePage> {
  const text = `SELECT ${columns}, json_build_array(json_build_array(r.tenant_id, r.role)) AS roles, 1 AS "roleCount"
    FROM console.roles r JOIN console.persons p USING (person_id)
    WHERE r.tenant_id = $1 AND p.email > $2 ORDER BY p.email LIMIT ${pageSize + 1}`;
  return pageOf(await query<ListedPerson>(database, 'list_people_of_tenancy', text, [tenantId, after]));
}

function pageOf(rows: readonly ListedPerson[]): PeoplePage {
  const people = rows.slice(0, pageSize);
  const last = people.at(-1);
  return rows.length > pageSize && last !== undefined ? { people, next: last.email } : { people };
}
