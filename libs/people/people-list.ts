/** Lists of persons, a page at a time, in the order of their e-mails. */
import { type Queryable, query } from '#libs/database/database.ts';
import { administeredTenancies, type Rights } from './roles.ts';

export interface SignInState {
  readonly isDisabled: boolean;
  /** False until the first link is used. */
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** Microseconds since 1970. */
  readonly lastSignInAt: number | null;
}

export interface ListedPerson {
  readonly id: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** Null where it does not concern the reader of the list. */
  readonly state: SignInState | null;
  /** As `[Tenancy, role]`, at most `maxListedRoles`. */
  readonly roles: readonly (readonly [string, string])[];
  readonly roleCount: number;
  /** As of `Person`; absent in the list of a Tenancy, whose admins do not see it. */
  readonly credentialScope?: readonly string[] | null;
}

export interface PeoplePage {
  readonly people: readonly ListedPerson[];
  /** The e-mail after which the next page begins; absent at the end. */
  readonly next?: string;
}

const pageSize = 50;
const maxListedRoles = 5;

const columns = `p.person_id AS id, p.email, p.is_operator AS "isOperator"`;
const state = `json_build_object('isDisabled', p.is_disabled, 'hasPassword', p.password_hash IS NOT NULL,
  'lastSignInAt', p.last_sign_in_at, 'hasSecondFactor', p.totp_secret IS NOT NULL
    OR EXISTS (SELECT FROM console.passkeys k WHERE k.person_id = p.person_id))`;

/** Of the installation. `search` is a part of the e-mail. Roles that are not in force come first, so that they are listed. */
export async function listPeople(
  database: Queryable,
  { search, after }: { readonly search: string; readonly after: string },
): Promise<PeoplePage> {
  const text = `SELECT ${columns}, p.credential_scope AS "credentialScope", ${state} AS state,
      coalesce((SELECT json_agg(json_build_array(r.tenant_id, r.role)) FROM (SELECT tenant_id, role FROM console.roles
        WHERE person_id = p.person_id ORDER BY tenant_id = ANY (p.credential_scope), tenant_id LIMIT ${maxListedRoles}) r), '[]') AS roles,
      (SELECT count(*)::integer FROM console.roles r WHERE r.person_id = p.person_id) AS "roleCount"
    FROM console.persons p WHERE p.email > $1 AND strpos(p.email, $2) > 0 ORDER BY p.email LIMIT ${pageSize + 1}`;
  return pageOf(await query<ListedPerson>(database, 'list_people', text, [after, search.toLowerCase()]));
}

/**
 * With a role in the Tenancy. The state is that of people whose rights lie in Tenancies that the reader administers. It is
 * absent until a password is set: otherwise it would show which of the invited people have an account already.
 */
export async function listPeopleOfTenancy(
  database: Queryable,
  tenantId: string,
  { after, reader }: { readonly after: string; readonly reader: Rights },
): Promise<PeoplePage> {
  const text = `SELECT ${columns}, json_build_array(json_build_array(r.tenant_id, r.role)) AS roles, 1 AS "roleCount",
      CASE WHEN $3::text[] IS NULL OR NOT p.is_operator AND (p.password_hash IS NOT NULL OR p.is_disabled) AND NOT EXISTS
        (SELECT FROM console.roles o WHERE o.person_id = p.person_id AND o.tenant_id <> ALL ($3::text[]))
      THEN ${state} END AS state
    FROM console.roles r JOIN console.persons p USING (person_id)
    WHERE r.tenant_id = $1 AND p.email > $2 ORDER BY p.email LIMIT ${pageSize + 1}`;
  const values = [tenantId, after, administeredTenancies(reader)];
  return pageOf(await query<ListedPerson>(database, 'list_people_of_tenancy', text, values));
}

function pageOf(rows: readonly ListedPerson[]): PeoplePage {
  const people = rows.slice(0, pageSize);
  const last = people.at(-1);
  return rows.length > pageSize && last !== undefined ? { people, next: last.email } : { people };
}
